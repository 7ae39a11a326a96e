import { arrayText } from '../../core/statements/array-text.ts';
import type { Queryable } from '../../core/client.ts';
import { rowsOf } from '../../core/rows.ts';
import { isOutdatedText } from '../effective-columns.ts';
import { factsColumnsOf, factsOf } from '../offer-facts.ts';
import { sharePushes, type Answered } from './share-pushes.ts';
import {
  differsText,
  quantityText,
  refusesStockText,
  storeStock,
  type OfferStock,
  type PushedRow,
  type StockPush,
} from './store-stock.ts';

type SharedRow = PushedRow & { readonly place: number };

/** Stores stock pushes as `storeStock`, and lets those of one vendor share statements. */
export const createStockStore = (
  sql: Queryable,
): ((push: OfferStock) => Promise<StockPush | null>) =>
  sharePushes(
    (push) => storeStock(sql, push),
    (pushes) => storeTogether(sql, pushes),
  );

/** Stores pushes of one vendor; no two are for one offer. Answers those that it has stored. */
async function storeTogether(
  sql: Queryable,
  pushes: readonly OfferStock[],
): Promise<readonly Answered<StockPush>[]> {
  const values = [
    pushes[0]?.vendorId ?? '',
    arrayText(pushes.map(({ offerId }) => offerId)),
    arrayText(pushes.map(({ declaredInStock }) => declaredInStock)),
    arrayText(pushes.map(({ declaredStockQuantity }) => declaredStockQuantity)),
    pushes.at(-1)?.now ?? new Date(),
  ];
  const rows = await rowsOf(sql.unsafe<SharedRow[]>(sharedPushText, values, { prepare: true }));
  return rows
    .filter(({ isStored, isOutdated }) => isStored && !isOutdated)
    .map((row) => ({
      offerId: pushes[row.place - 1]?.offerId ?? '',
      stored: { isRefused: false, offer: factsOf(row) },
    }));
}

const givenQuantityText = quantityText('given.in_stock', 'given.quantity');
const differsFromGiven = differsText('given.in_stock', givenQuantityText);

/** The statement of `storeStock` for several offers of a vendor, without a wait for their rows. */
const sharedPushText = `
  with given as materialized (
    -- The subquery hides the number of pushes, for which Postgres would plan each call anew.
    select offer_id, in_stock, quantity, place::integer
    from unnest((select $2::uuid[]), $3::boolean[], $4::integer[]) with ordinality
      as pushes(offer_id, in_stock, quantity, place)
  ), locked as materialized (
    select offers.id, given.place, given.in_stock, ${givenQuantityText} as quantity
    from given join offers on offers.id = given.offer_id
    where offers.vendor_id = $1 and ${differsFromGiven} and not (${refusesStockText})
      and (not offers.ever_approved
        or exists (select from supply_options where offer_id = offers.id))
    for update of offers skip locked
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
  select given.place, not (${differsFromGiven}), ${isOutdatedText}, ${factsColumnsOf('offers')}
  from given join offers on offers.id = given.offer_id
    join vendors on vendors.id = offers.vendor_id
  where offers.vendor_id = $1 and given.place not in (select place from changed)`;
