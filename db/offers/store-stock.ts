import type { StockDeclaration } from '../../domain/offers/stock.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { offerRowColumns, offerRowTables, toOffer, type OfferRow } from './offer-row.ts';

/** A push that waited for the first approval repeats once; an offer has one first approval. */
const triesMax = 3;

export type StockPush = { readonly isRefused: boolean; readonly offer: Offer };

/**
 * Stores a stock push in the offer and in its supply option by one statement (D35). It implements
 * `pushStock` of the domain; a test compares the two. `isRefused`: the offer is Rejected without a
 * barcode, and nothing has changed. Null for an unknown offer and for another vendor's.
 */
export async function storeStock(sql: Queryable, push: OfferStock): Promise<StockPush | null> {
  for (let count = 1; count <= triesMax; count += 1) {
    const pushed = await pushOnce(sql, push);
    if (pushed === null) return null;
    const { isStale, ...result } = pushed;
    if (!isStale) return result;
  }
  throw new Error('an offer that was approved has no supply option');
}

type OfferStock = StockDeclaration & {
  readonly vendorId: string;
  readonly offerId: string;
  readonly declaredInStock: boolean;
  readonly now: Date;
};

/**
 * A statement that waited for the first approval sees the approved offer, but not the new supply
 * option. `isStale`: it has changed nothing, and must be repeated.
 */
async function pushOnce(
  sql: Queryable,
  { vendorId, offerId, declaredInStock, declaredStockQuantity, now }: OfferStock,
): Promise<(StockPush & { readonly isStale: boolean }) | null> {
  const [row] = await sql<
    (OfferRow & { readonly isRefused: boolean; readonly isStale: boolean })[]
  >`
    with found as materialized (
      select ${offerRowColumns(sql)}, offers.ever_approved and supply_options.id is null as is_stale from ${offerRowTables(sql)}
      where offers.id = ${offerId} and offers.vendor_id = ${vendorId}
      for update of offers
    ), wanted as materialized (
      select id, ${declaredInStock}::boolean as in_stock,
        case when ${declaredInStock}
          then coalesce(${declaredStockQuantity}::integer, nullif(declared_stock_quantity, 0))
          else 0 end as quantity
      from found
    ), different as materialized (
      select wanted.*, found.is_stale, found.status = 'Rejected' and found.barcode is null as is_refused
      from wanted join found using (id)
      where (found.declared_in_stock, found.declared_stock_quantity) is distinct from
        (wanted.in_stock, wanted.quantity)
    ), changed as (
      update offers set declared_in_stock = different.in_stock, declared_stock_quantity = different.quantity,
        version = version + 1,
        -- After a wait for a lock, the time given may be before the previous change.
        changed_at = greatest(${now}, offers.changed_at + interval '1 millisecond')
      from different
      where offers.id = different.id and not different.is_refused and not different.is_stale
      returning offers.id, offers.version, offers.changed_at, declared_in_stock, declared_stock_quantity
    ), supply as (
      update supply_options set stock_quantity = changed.declared_stock_quantity,
        in_stock = changed.declared_in_stock, updated_at = changed.changed_at
      from changed where supply_options.offer_id = changed.id
    )
    select found.*, coalesce(changed.version, found.version) as version,
      coalesce(changed.changed_at, found.changed_at) as changed_at,
      coalesce(changed.declared_in_stock, found.declared_in_stock) as declared_in_stock,
      case when changed.id is null then found.declared_stock_quantity else changed.declared_stock_quantity end
        as declared_stock_quantity,
      coalesce(different.is_refused, false) as is_refused
    from found left join different using (id) left join changed using (id)`;
  if (row === undefined) return null;
  const { isRefused, isStale, ...rest } = row;
  return { isRefused, isStale, offer: toOffer(rest) };
}
