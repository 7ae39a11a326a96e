import type { Queryable } from '../../db/core/client.ts';
import { findOffersById } from '../../db/offers/offers.ts';
import { storeOffers, type OfferChange } from '../../db/offers/store-offers.ts';
import { ok, type Result } from '../../domain/errors.ts';
import type { Offer } from '../../domain/offers/offer.ts';

/** A rule's result for a locked offer at an instant; the same object when nothing changes. */
export type OfferDecision = {
  readonly offerId: string;
  readonly decide: (offer: Offer, now: Date) => Result<Offer>;
  /** The stored offer changes, and a pending switch of the agreement stays pending. */
  readonly leavesSwitch?: boolean;
};

/** An offer before and after its rule; the same object when nothing changed. */
export type ChangedOffer = { readonly before: Offer; readonly after: Offer };

/**
 * Applies a rule to each of a vendor's locked offers, and stores the results by one statement.
 * `decisions` has each offer once. Returns the outcome of each by the offer's id.
 */
export async function changeOffers(
  sql: Queryable,
  vendorId: string,
  decisions: readonly OfferDecision[],
): Promise<ReadonlyMap<string, Result<ChangedOffer>>> {
  const offers = await findOffersById(
    sql,
    decisions.map(({ offerId }) => offerId),
  );
  const changes: OfferChange[] = [];
  const results = new Map<string, Result<ChangedOffer>>();
  for (const { offerId, decide, leavesSwitch = false } of decisions) {
    const found = offers.get(offerId);
    if (found === undefined) throw new Error('a locked offer is gone');
    const { offer: before, now } = found;
    const decided = decide(before, now);
    results.set(offerId, decided.ok ? ok({ before, after: decided.value }) : decided);
    if (!decided.ok || decided.value === before) continue;
    const toStore = leavesSwitch ? decide(found.stored, now) : decided;
    if (!toStore.ok) throw new Error('the stored offer refuses what the offer allows');
    changes.push({ found, after: toStore.value });
  }
  // Reviews of a thousand offers must not delay the messages of others.
  const stored = await storeOffers(sql, changes, { isLowPriority: true, lockedOf: vendorId });
  if (stored !== changes.length) throw new Error('a locked offer has changed');
  return results;
}
