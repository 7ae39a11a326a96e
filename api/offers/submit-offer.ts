import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../../db/core/client.ts';
import { findCreationFacts, insertOffer } from '../../db/offers/offers.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { createOffer, type OfferDeclaration } from '../../domain/offers/create-offer.ts';
import type { Offer, OfferSource } from '../../domain/offers/offer.ts';

export type Submitted = { readonly offer: Offer; readonly isNew: boolean };

/** After a lost race the second attempt finds the other offer; more losses are a fault. */
const attemptsMax = 5;

/**
 * Creates a vendor's offer, or answers the offer of the same source that already has its
 * vendorExternalId, unchanged (D77).
 * Concurrent calls with one vendorExternalId create one offer: the unique key decides, and the
 * calls that lose read the offer that won (D22).
 */
export async function submitOffer(
  sql: Queryable,
  options: {
    readonly vendorId: string;
    readonly source: OfferSource;
    readonly declaration: OfferDeclaration;
    readonly vatRateBasisPoints: number;
  },
): Promise<Result<Submitted>> {
  const { vendorId, source, declaration, vatRateBasisPoints } = options;
  const identity = { ...declaration, source };
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const facts = await findCreationFacts(sql, vendorId, identity);
    if (facts === null) return fail('NOT_FOUND_VENDOR');
    if (facts.existing !== null) return ok({ offer: facts.existing, isNew: false });
    const created = createOffer(declaration, {
      id: uuidv7(),
      vendorId,
      source,
      pricingModel: facts.agreement.pricingModel,
      agreementEpoch: facts.agreementEpoch,
      agreementVersion: facts.agreementVersion,
      variant: facts.variant,
      vatRateBasisPoints,
      now: new Date(),
    });
    if (!created.ok) return created;
    if (await insertOffer(sql, created.value)) return ok({ offer: created.value, isNew: true });
  }
  return fail('SERVICE_UNAVAILABLE');
}
