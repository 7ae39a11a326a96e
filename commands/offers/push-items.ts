import type { Queryable } from '../../db/core/client.ts';
import { lockOwnOffers, type LockedOffer } from '../../db/offers/lock-own-offers.ts';
import type { FoundOffer } from '../../db/offers/offer-row.ts';
import { findOffersById } from '../../db/offers/offers.ts';
import { storeOffers, type OfferChange } from '../../db/offers/store-offers.ts';
import { fail, fieldError, invalid, ok, type Result } from '../../domain/errors.ts';
import { pushStock } from '../../domain/offers/edit-offer.ts';
import type { OfferRule } from '../../domain/offers/offer-change.ts';
import type { Offer, OfferName } from '../../domain/offers/offer.ts';
import type { StockDeclaration } from '../../domain/offers/stock.ts';

/** What an item does to its offer. */
export type ItemRule = {
  readonly decide: OfferRule;
  /** The stored offer changes, and a pending switch of the agreement stays pending. */
  readonly leavesSwitch?: boolean;
};

/** The stock push of an offer. Like the single push, it leaves a pending switch pending. */
export const stockRule = (stock: StockDeclaration): ItemRule => ({
  decide: (offer, now) => pushStock(offer, stock, now),
  leavesSwitch: true,
});

/** A well-formed item of a bulk call or a job; `index` counts from 0. */
export type Item = ItemRule & { readonly index: number; readonly name: OfferName };

/** An offer before and after its rule; the same object when nothing changed. */
export type ChangedOffer = { readonly before: Offer; readonly after: Offer };

/** The result of an item. `offer` is null if the item names no offer of the vendor. */
export type ItemOutcome = {
  readonly index: number;
  readonly offer: LockedOffer | null;
  readonly pushed: Result<ChangedOffer>;
};

/** The first item of a call or job that names an offer, by the offer's id. */
export type NamedOffers = Map<string, number>;

const repeated = (firstIndex: number): Result<never> =>
  invalid(fieldError('offerId', 'duplicate', `names the offer of items[${firstIndex}] again`));

/**
 * Stores items of a vendor in a transaction. It locks their offers first, so it waits for
 * concurrent writers and loses no race. An item that names the offer of an earlier item fails:
 * `readNamed` returns the earlier items that name these offers, and the items of this call are
 * added to them. Rejects when Postgres fails.
 */
export async function pushItems(
  sql: Queryable,
  vendorId: string,
  items: readonly Item[],
  readNamed: (offerIds: readonly string[]) => NamedOffers | Promise<NamedOffers>,
): Promise<readonly ItemOutcome[]> {
  const names = items.map(({ name }) => name);
  const locked = await lockOwnOffers(sql, vendorId, names);
  const named = await readNamed(locked.flatMap((offer) => offer?.id ?? []));
  const located = items.map((item, position) => {
    const offer = locked[position] ?? null;
    if (offer === null) return { item, offer, refusal: fail('NOT_FOUND_VENDOR_OFFER') };
    const first = named.get(offer.id) ?? item.index;
    named.set(offer.id, first);
    return { item, offer, refusal: first === item.index ? null : repeated(first) };
  });
  const ids = located.flatMap(({ offer, refusal }) => (refusal === null ? (offer?.id ?? []) : []));
  const offers = ids.length === 0 ? new Map<string, FoundOffer>() : await findOffersById(sql, ids);
  const changes: OfferChange[] = [];
  const outcomes = located.map(({ item, offer, refusal }): ItemOutcome => {
    const { index } = item;
    if (refusal !== null) return { index, offer, pushed: refusal };
    const found = offers.get(offer?.id ?? '');
    if (found === undefined) throw new Error('a locked offer is gone');
    return { index, offer, pushed: changeOf(item, found, changes) };
  });
  // Reviews of a thousand offers must not delay the messages of others.
  const stored = await storeOffers(sql, changes, { isLowPriority: true, lockedOf: vendorId });
  if (stored !== changes.length) throw new Error('a locked offer has changed');
  return outcomes;
}

/** Applies a rule to its offer, and adds the change to `changes` if there is one. */
function changeOf(
  { decide, leavesSwitch = false }: ItemRule,
  found: FoundOffer,
  changes: OfferChange[],
): Result<ChangedOffer> {
  const { offer: before, now } = found;
  const decided = decide(before, now);
  if (!decided.ok) return decided;
  if (decided.value !== before) {
    const toStore = leavesSwitch ? decide(found.stored, now) : decided;
    if (!toStore.ok) throw new Error('the stored offer refuses what the offer allows');
    changes.push({ found, after: toStore.value });
  }
  return ok({ before, after: decided.value });
}
