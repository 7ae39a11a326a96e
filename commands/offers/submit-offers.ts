import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../../db/core/client.ts';
import { findCreationFacts, type CreationFacts } from '../../db/offers/creation-facts.ts';
import { insertOffers } from '../../db/offers/insert-offers.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import {
  createOffer,
  type CreationAgreement,
  type OfferDeclaration,
} from '../../domain/offers/create-offer.ts';
import type { Offer, OfferSource } from '../../domain/offers/offer.ts';

export type Submitted = { readonly offer: Offer; readonly isNew: boolean };

/** The agreements of vendors as this process last read them. */
export type KnownAgreements = Pick<Map<string, CreationAgreement>, 'get' | 'set'>;

type Submission = {
  readonly vendorId: string;
  readonly source: OfferSource;
  readonly vatRateBasisPoints: number;
  /** Saves creations without a variant the read of their facts. Without it, each reads them. */
  readonly known?: KnownAgreements;
  /** The messages of thousands of offers do not delay others. */
  readonly isLowPriority?: boolean;
};

/** After a lost race the next attempt finds the other offer; more losses are a fault. */
const attemptsMax = 5;

/**
 * Facts that may be old: they create an offer, but neither refuse nor find one. The insert checks
 * the agreement.
 */
function rememberedFacts(
  { vendorId, known }: Submission,
  declarations: readonly OfferDeclaration[],
): CreationFacts | null {
  if (declarations.some(({ variantId }) => variantId !== null)) return null;
  const agreement = known?.get(vendorId) ?? null;
  return agreement === null ? null : { agreement, variants: new Map(), existing: new Map() };
}

/**
 * Creates a vendor's offers, with the result of that many single creations in this order. A
 * declaration whose vendorExternalId an offer of the same source has already gets that offer,
 * unchanged; so does a later declaration of the call. Concurrent calls with one vendorExternalId
 * create one offer: the unique key decides, and the calls that lose read the offer that won.
 */
export async function submitOffers(
  sql: Queryable,
  submission: Submission,
  declarations: readonly OfferDeclaration[],
): Promise<readonly Result<Submitted>[]> {
  const { vendorId, source, vatRateBasisPoints, known, isLowPriority = false } = submission;
  const results: (Result<Submitted> | undefined)[] = declarations.map(() => undefined);
  const remembered = rememberedFacts(submission, declarations);
  for (let attempt = remembered === null ? 1 : 0; attempt <= attemptsMax; attempt += 1) {
    const left = [...declarations.entries()].filter(([index]) => results[index] === undefined);
    if (left.length === 0) break;
    const asked = left.map(([, declaration]) => declaration);
    const facts =
      attempt === 0 ? remembered : await findCreationFacts(sql, vendorId, source, asked);
    if (facts === null) return declarations.map(() => fail('NOT_FOUND_VENDOR'));
    if (attempt > 0) known?.set(vendorId, facts.agreement);
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
    const inserted = await insertOffers(sql, [...created.values()], { isLowPriority });
    for (const [index, { id }] of created) {
      const offer = inserted.get(id);
      if (offer !== undefined) results[index] = ok({ offer, isNew: true });
    }
  }
  return results.map((result) => result ?? fail('SERVICE_UNAVAILABLE'));
}

/** As {@link submitOffers}, for one offer. */
export async function submitOffer(
  sql: Queryable,
  submission: Submission,
  declaration: OfferDeclaration,
): Promise<Result<Submitted>> {
  const [submitted] = await submitOffers(sql, submission, [declaration]);
  return submitted ?? fail('SERVICE_UNAVAILABLE');
}
