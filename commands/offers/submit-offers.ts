import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../../db/core/client.ts';
import { findCreationFactsOf, insertOffers } from '../../db/offers/insert-offers.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { createOffer, type OfferDeclaration } from '../../domain/offers/create-offer.ts';
import type { Offer } from '../../domain/offers/offer.ts';

export type Submitted = { readonly offer: Offer; readonly isNew: boolean };

/** The limit of a single create too: more lost races are a fault. */
const attemptsMax = 5;

/**
 * Creates a vendor's offers of source Api by a few statements, with the result of that many single
 * creates in this order. Of several declarations with one vendorExternalId, the first creates the
 * offer.
 */
export async function submitOffers(
  sql: Queryable,
  {
    vendorId,
    declarations,
    vatRateBasisPoints,
  }: {
    readonly vendorId: string;
    readonly declarations: readonly OfferDeclaration[];
    readonly vatRateBasisPoints: number;
  },
): Promise<readonly Result<Submitted>[]> {
  const results: (Result<Submitted> | undefined)[] = declarations.map(() => undefined);
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const left = [...declarations.entries()].filter(([index]) => results[index] === undefined);
    if (left.length === 0) break;
    const facts = await findCreationFactsOf(
      sql,
      vendorId,
      left.map(([, declaration]) => declaration),
    );
    const created = new Map<number, Offer>();
    const taken = new Set<string>();
    for (const [index, declaration] of left) {
      const { vendorExternalId, variantId } = declaration;
      const existing = facts.existing.get(vendorExternalId ?? '');
      if (existing !== undefined) {
        results[index] = ok({ offer: existing, isNew: false });
        continue;
      }
      // The next round finds the offer of the earlier declaration.
      if (vendorExternalId !== null && taken.has(vendorExternalId)) continue;
      const offer = createOffer(declaration, {
        id: uuidv7(),
        vendorId,
        source: 'Api',
        ...facts.agreement,
        variant: facts.variants.get(variantId ?? '') ?? null,
        vatRateBasisPoints,
        now: new Date(),
      });
      if (!offer.ok) results[index] = offer;
      else {
        created.set(index, offer.value);
        if (vendorExternalId !== null) taken.add(vendorExternalId);
      }
    }
    const inserted = await insertOffers(sql, vendorId, [...created.values()]);
    for (const [index, offer] of created)
      if (inserted.has(offer.id)) results[index] = ok({ offer, isNew: true });
  }
  return results.map((result) => result ?? fail('SERVICE_UNAVAILABLE'));
}
