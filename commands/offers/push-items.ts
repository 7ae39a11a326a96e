import type { Queryable } from '../../db/core/client.ts';
import { lockOwnOffers, type LockedOffer } from '../../db/offers/lock-own-offers.ts';
import { fail, fieldError, invalid, type Result } from '../../domain/errors.ts';
import type { OfferName } from '../../domain/offers/offer.ts';

/** A well-formed item of a bulk call; `index` counts from 0. */
export type Item<TDeclared> = {
  readonly index: number;
  readonly name: OfferName;
  readonly declared: TDeclared;
};

/**
 * The result of an item: by default the version of its offer, or its failure. `offer` is null if
 * the item names no offer of the vendor.
 */
export type ItemOutcome<TPushed = number> = {
  readonly index: number;
  readonly offer: LockedOffer | null;
  readonly pushed: Result<TPushed>;
};

/** A push for an offer that is locked. */
export type OfferPush<TDeclared> = { readonly offerId: string; readonly declared: TDeclared };

/** Stores pushes for locked offers, each offer once; returns each one's version or failure. */
export type StorePushes<TDeclared, TPushed = number> = (
  sql: Queryable,
  vendorId: string,
  pushes: readonly OfferPush<TDeclared>[],
) => Promise<ReadonlyMap<string, Result<TPushed>>>;

/** The first item of a call or job that names an offer, by the offer's id. */
export type NamedOffers = Map<string, number>;

const repeated = (firstIndex: number): Result<never> =>
  invalid(fieldError('offerId', 'duplicate', `names the offer of items[${firstIndex}] again`));

/**
 * Stores items in a transaction. It locks their offers first, so it waits for concurrent writers
 * and loses no race. An item that names the offer of an earlier item fails; `readNamed` gives the
 * earlier items. Rejects when Postgres fails.
 */
export async function pushItems<TDeclared, TPushed = number>(
  transaction: Queryable,
  items: readonly Item<TDeclared>[],
  {
    vendorId,
    readNamed,
    store,
  }: {
    readonly vendorId: string;
    /**
     * Returns the earlier items that name these offers. `pushItems` adds the items of this call to
     * the map.
     */
    readonly readNamed: (offerIds: readonly string[]) => NamedOffers | Promise<NamedOffers>;
    readonly store: StorePushes<TDeclared, TPushed>;
  },
): Promise<readonly ItemOutcome<TPushed>[]> {
  const offers = await lockOwnOffers(
    transaction,
    vendorId,
    items.map(({ name }) => name),
  );
  const named = await readNamed(offers.flatMap((offer) => offer?.id ?? []));
  const pushes: OfferPush<TDeclared>[] = [];
  const located = items.map(({ index, declared }, position) => {
    const offer = offers[position] ?? null;
    if (offer === null) return { index, offer, failed: fail('NOT_FOUND_VENDOR_OFFER') };
    const firstIndex = named.get(offer.id) ?? index;
    named.set(offer.id, firstIndex);
    if (firstIndex !== index) return { index, offer, failed: repeated(firstIndex) };
    pushes.push({ offerId: offer.id, declared });
    return { index, offer, failed: null };
  });
  const stored =
    pushes.length === 0
      ? new Map<string, Result<TPushed>>()
      : await store(transaction, vendorId, pushes);
  return located.map(({ index, offer, failed }) => ({
    index,
    offer,
    pushed: failed ?? stored.get(offer?.id ?? '') ?? fail('NOT_FOUND_VENDOR_OFFER'),
  }));
}
