import type { Queryable } from '../../db/core/client.ts';
import {
  lockOwnOffers,
  type LockedOffer,
  type OfferName,
} from '../../db/offers/lock-own-offers.ts';
import { fail, fieldError, invalid, type Result } from '../../domain/errors.ts';

/** A well-formed item of a bulk call; `index` is its place in the call. */
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
     * Returns the earlier items that name these offers. `pushItems` adds those of this call to the
     * map.
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
  const located = items.map((item, position) => locate(item, offers[position] ?? null, named));
  const pushes = located.flatMap(({ push }) => push ?? []);
  const stored =
    pushes.length === 0
      ? new Map<string, Result<TPushed>>()
      : await store(transaction, vendorId, pushes);
  return located.map(({ outcome: { index, offer, pushed } }) => ({
    index,
    offer,
    pushed: pushed ?? stored.get(offer?.id ?? '') ?? fail('NOT_FOUND_VENDOR_OFFER'),
  }));
}

/** An item with its push, or with the failure that excludes it. */
function locate<TDeclared>(
  { index, declared }: Item<TDeclared>,
  offer: LockedOffer | null,
  named: NamedOffers,
) {
  if (offer === null) {
    return { push: null, outcome: { index, offer, pushed: fail('NOT_FOUND_VENDOR_OFFER') } };
  }
  const firstIndex = named.get(offer.id) ?? index;
  named.set(offer.id, firstIndex);
  if (firstIndex !== index) {
    return { push: null, outcome: { index, offer, pushed: repeated(firstIndex) } };
  }
  return { push: { offerId: offer.id, declared }, outcome: { index, offer, pushed: null } };
}
