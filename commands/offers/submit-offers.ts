import { v7 as uuidv7 } from 'uuid';
import type { CreationFacts } from '../../db/offers/creation-facts.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { createOffer, type OfferDeclaration } from '../../domain/offers/create-offer.ts';
import type { Offer, OfferSource } from '../../domain/offers/offer.ts';

export type Submitted = { readonly offer: Offer; readonly isNew: boolean };

/** The statements of a creation, in the form for one offer or for many. */
export type CreationStatements = {
  /** Null when there is no such vendor. */
  readonly find: (declarations: readonly OfferDeclaration[]) => Promise<CreationFacts | null>;
  /**
   * Returns the offers that it stored, by their ids, with the instant of the insert; another call
   * may have taken an external id.
   */
  readonly insert: (offers: readonly Offer[]) => Promise<ReadonlyMap<string, Offer>>;
  /** Facts that may be old: they create an offer, but neither refuse nor find one. */
  readonly remembered?: CreationFacts | null;
};

/** After a lost race the next attempt finds the other offer; more losses are a fault. */
const attemptsMax = 5;

/**
 * Creates a vendor's offers, with the result of that many single creations in this order. A
 * declaration whose vendorExternalId an offer of the same source has already gets that offer,
 * unchanged; so does a later declaration of the call. Concurrent calls with one vendorExternalId
 * create one offer: the unique key decides, and the calls that lose read the offer that won.
 */
export async function submitOffers(
  { find, insert, remembered = null }: CreationStatements,
  submission: {
    readonly vendorId: string;
    readonly source: OfferSource;
    readonly declarations: readonly OfferDeclaration[];
    readonly vatRateBasisPoints: number;
  },
): Promise<readonly Result<Submitted>[]> {
  const { vendorId, source, declarations, vatRateBasisPoints } = submission;
  const results: (Result<Submitted> | undefined)[] = declarations.map(() => undefined);
  for (let attempt = remembered === null ? 1 : 0; attempt <= attemptsMax; attempt += 1) {
    const left = [...declarations.entries()].filter(([index]) => results[index] === undefined);
    if (left.length === 0) break;
    const facts =
      attempt === 0 ? remembered : await find(left.map(([, declaration]) => declaration));
    if (facts === null) return declarations.map(() => fail('NOT_FOUND_VENDOR'));
    const created = new Map<number, Offer>();
    const taken = new Set<string>();
    for (const [index, declaration] of left) {
      const { vendorExternalId, variantId } = declaration;
      const existing = facts.existing.get(vendorExternalId ?? '');
      if (existing !== undefined) {
        results[index] = ok({ offer: existing, isNew: false });
        continue;
      }
      // The next attempt finds the offer of the earlier declaration.
      if (vendorExternalId !== null && taken.has(vendorExternalId)) continue;
      const offer = createOffer(declaration, {
        id: uuidv7(),
        vendorId,
        source,
        ...facts.agreement,
        variant: facts.variants.get(variantId ?? '') ?? null,
        vatRateBasisPoints,
        // The insert replaces it.
        now: new Date(0),
      });
      if (offer.ok) {
        created.set(index, offer.value);
        if (vendorExternalId !== null) taken.add(vendorExternalId);
      } else if (attempt > 0) results[index] = offer;
    }
    if (created.size === 0) continue;
    const inserted = await insert([...created.values()]);
    for (const [index, { id }] of created) {
      const offer = inserted.get(id);
      if (offer !== undefined) results[index] = ok({ offer, isNew: true });
    }
  }
  return results.map((result) => result ?? fail('SERVICE_UNAVAILABLE'));
}
