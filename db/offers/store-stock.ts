import { pushStock } from '../../domain/offers/edit-offer.ts';
import type { StockDeclaration } from '../../domain/offers/stock.ts';
import { arrayText } from '../core/array-text.ts';
import type { Queryable } from '../core/client.ts';
import { rowsOf } from '../core/rows.ts';
import { isOutdatedText } from './effective-columns.ts';
import { factsColumnsOf, factsOf, type FactsRow, type OfferFacts } from './offer-facts.ts';
import { findOwnOffer } from './offers.ts';
import { sharePushes, type RowLock } from './share-pushes.ts';

/** A push that waited for another change of the offer repeats; each repeat sees that change. */
const triesMax = 5;

export type StockPush = { readonly isRefused: boolean; readonly offer: OfferFacts };

type OfferStock = StockDeclaration & {
  readonly vendorId: string;
  readonly offerId: string;
  readonly declaredInStock: boolean;
  readonly now: Date;
};

/**
 * Stores a stock push in the offer and in its supply option by one statement (D35). It implements
 * `pushStock` of the domain; a test compares the two. If the statement did not store the stock, the
 * rule gives the reason. `isRefused`: the offer is Rejected without a barcode, and nothing has
 * changed. Null for an unknown offer and for another vendor's.
 */
export async function storeStock(sql: Queryable, push: OfferStock): Promise<StockPush | null> {
  for (let count = 1; count <= triesMax; count += 1) {
    const [answer] = await storeTogether(sql, [push], 'wait');
    if (answer === undefined) return null;
    const { row } = answer;
    if (row.isStored && !row.isOutdated) return { isRefused: false, offer: factsOf(row) };
    const found = await findOwnOffer(sql, push.vendorId, push.offerId);
    if (found === null) return null;
    const { offer } = found;
    if (row.isStored) return { isRefused: false, offer };
    const ruled = pushStock(offer, push, push.now);
    if (!ruled.ok || ruled.value === offer) return { isRefused: !ruled.ok, offer };
  }
  throw new Error('an offer keeps changing, or was approved and has no supply option');
}

/**
 * Stores stock pushes as {@link storeStock}, those of one vendor by shared statements. A push that
 * meets another writer, or that a shared statement does not store for any other reason, is stored
 * alone.
 */
export function createStockStore(sql: Queryable): (push: OfferStock) => Promise<StockPush | null> {
  const share = sharePushes((pushes: readonly OfferStock[]) => storeTogether(sql, pushes, 'skip'));
  return async (push) => {
    const row = (await share(push))?.row;
    return row?.isStored === true && !row.isOutdated
      ? { isRefused: false, offer: factsOf(row) }
      : storeStock(sql, push);
  };
}

/** `isStored`: the offer has the stock of the push, changed or not. */
type PushedRow = Omit<FactsRow, 'changeTime'> & {
  readonly place: number;
  readonly isStored: boolean;
};

/** Pushes of one vendor; no two are for one offer. Answers no row for an unknown offer. */
async function storeTogether(sql: Queryable, pushes: readonly OfferStock[], lock: RowLock) {
  const values = [
    pushes[0]?.vendorId ?? null,
    arrayText(pushes.map(({ offerId }) => offerId)),
    arrayText(pushes.map(({ declaredInStock }) => declaredInStock)),
    arrayText(pushes.map(({ declaredStockQuantity }) => declaredStockQuantity)),
    pushes.at(-1)?.now ?? null,
  ];
  const text = pushTexts[lock];
  const rows = await rowsOf(sql.unsafe<PushedRow[]>(text, values, { prepare: true }));
  return rows.map((row) => ({ offerId: pushes[row.place - 1]?.offerId ?? '', row }));
}

/** The quantity that a push declares, as `declareStock` of the domain; arguments are SQL text. */
export const quantityText = (inStock: string, quantity: string): string =>
  `case when ${inStock} then coalesce(${quantity}, nullif(offers.declared_stock_quantity, 0))
    else 0 end`;
const givenQuantityText = quantityText('given.in_stock', 'given.quantity');
const differsText = `(offers.declared_in_stock, offers.declared_stock_quantity)
  is distinct from (given.in_stock, ${givenQuantityText})`;
/** Whether the offer refuses pushes: a Rejected offer without a barcode. */
export const refusesStockText = `offers.status = 'Rejected' and offers.barcode is null`;

/**
 * The changed offers, else the offers as they were when the statement began. A statement that
 * waited for the first approval sees the approved offer, but not the new supply option, so it
 * changes nothing.
 */
const pushTextOf = (lock: RowLock): string => `
  with given as materialized (
    -- The subquery hides the number of pushes, for which Postgres would plan each call anew.
    select offer_id, in_stock, quantity, place::integer
    from unnest((select $2::uuid[]), $3::boolean[], $4::integer[]) with ordinality
      as pushes(offer_id, in_stock, quantity, place)
  ), locked as materialized (
    select offers.id, given.place, given.in_stock, ${givenQuantityText} as quantity
    from given join offers on offers.id = given.offer_id
    where offers.vendor_id = $1 and ${differsText} and not (${refusesStockText})
      and (not offers.ever_approved
        or exists (select from supply_options where offer_id = offers.id))
    for update of offers ${lock === 'skip' ? 'skip locked' : ''}
  ), begun as materialized (
    -- Once all rows are locked: after this call the statement must wait for no other writer.
    select offer_change_time($1) as at
    from (select count(*) as total from locked) as counted where total > 0
  ), changed as (
    update offers set declared_in_stock = locked.in_stock,
      declared_stock_quantity = locked.quantity, version = offers.version + 1,
      -- After a wait for a lock, the time given may be before the previous change.
      changed_at = greatest($5::timestamptz, offers.changed_at + interval '1 millisecond'),
      change_time = begun.at + (locked.place - 1) * interval '1 microsecond'
    from locked cross join begun cross join vendors
    where offers.id = locked.id and vendors.id = $1
    returning locked.place, ${factsColumnsOf('offers')}, offers.changed_at,
      ${isOutdatedText} as is_outdated
  ), supply as (
    update supply_options set stock_quantity = changed.declared_stock_quantity,
      in_stock = changed.declared_in_stock, updated_at = changed.changed_at
    from changed where supply_options.offer_id = changed.id
  )
  select place, true as is_stored, is_outdated, ${factsColumnsOf('changed')} from changed
  union all
  select given.place, not (${differsText}), ${isOutdatedText}, ${factsColumnsOf('offers')}
  from given join offers on offers.id = given.offer_id
    join vendors on vendors.id = offers.vendor_id
  where offers.vendor_id = $1 and given.place not in (select place from changed)`;

const pushTexts: Readonly<Record<RowLock, string>> = {
  wait: pushTextOf('wait'),
  skip: pushTextOf('skip'),
};
