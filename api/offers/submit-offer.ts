import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../../db/core/client.ts';
import { findCreationFacts, insertOffer, type CreationFacts } from '../../db/offers/offers.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { createOffer, type OfferDeclaration } from '../../domain/offers/create-offer.ts';
import type { Offer, OfferSource } from '../../domain/offers/offer.ts';
import type { KnownAgreements } from './known-agreements.ts';

export type Submitted = { readonly offer: Offer; readonly isNew: boolean };

/** After a lost race the second attempt finds the other offer; more losses are a fault. */
const attemptsMax = 5;

type Submission = {
  readonly vendorId: string;
  readonly source: OfferSource;
  readonly declaration: OfferDeclaration;
  readonly vatRateBasisPoints: number;
  /** Saves a creation without a variant the read of its facts. Without it, each reads them. */
  readonly known?: KnownAgreements;
};

/**
 * Creates a vendor's offer, or answers the offer of the same source that already has its
 * vendorExternalId, unchanged (D77).
 * Concurrent calls with one vendorExternalId create one offer: the unique key decides, and the
 * calls that lose read the offer that won (D22).
 */
export async function submitOffer(
  sql: Queryable,
  submission: Submission,
): Promise<Result<Submitted>> {
  const { vendorId, source, declaration, known } = submission;
  const agreement = declaration.variantId === null ? (known?.get(vendorId) ?? null) : null;
  if (agreement !== null) {
    // One round trip. A refusal may be due to an old agreement, or the offer may exist already.
    const created = create(submission, { ...agreement, variant: null });
    if (created.ok && (await insertOffer(sql, created.value)))
      return ok({ offer: created.value, isNew: true });
  }
  const identity = { ...declaration, source };
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const facts = await findCreationFacts(sql, vendorId, identity);
    if (facts === null) return fail('NOT_FOUND_VENDOR');
    known?.set(vendorId, facts);
    if (facts.existing !== null) return ok({ offer: facts.existing, isNew: false });
    const created = create(submission, facts);
    if (!created.ok) return created;
    if (await insertOffer(sql, created.value)) return ok({ offer: created.value, isNew: true });
  }
  return fail('SERVICE_UNAVAILABLE');
}

const create = (
  { vendorId, source, declaration, vatRateBasisPoints }: Submission,
  facts: Omit<CreationFacts, 'existing'>,
): Result<Offer> =>
  createOffer(declaration, {
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
