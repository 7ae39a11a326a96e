import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../../db/core/client.ts';
import { findCreationFacts, insertOffer } from '../../db/offers/offers.ts';
import { createOffer, type OfferDeclaration } from '../../domain/offers/create-offer.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import type { Offer, OfferSource } from '../../domain/offers/offer.ts';

export type Submitted = { readonly offer: Offer; readonly isNew: boolean };

/** A lost race is decided at the second look; more than this many in a row is not a race. */
const looksMax = 5;

/**
 * Creates a vendor's offer, or answers the one that already has its vendorExternalId, unchanged. Parallel calls with one
 * key make one offer: the unique key decides, and whoever loses looks again (D22).
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
  const { variantId, vendorExternalId } = declaration;
  for (let look = 1; look <= looksMax; look += 1) {
    const facts = await findCreationFacts(sql, vendorId, variantId, vendorExternalId);
    if (facts === null) return fail('NOT_FOUND_VENDOR');
    if (facts.existing !== null) return ok({ offer: facts.existing, isNew: false });
    const created = createOffer(declaration, {
      id: uuidv7(),
      vendorId,
      source,
      pricingModel: facts.agreement.pricingModel,
      agreementEpoch: facts.agreementEpoch,
      variant: facts.variant,
      vatRateBasisPoints,
      now: new Date(),
    });
    if (!created.ok) return created;
    if (await insertOffer(sql, created.value)) return ok({ offer: created.value, isNew: true });
  }
  return fail('SERVICE_UNAVAILABLE');
}
