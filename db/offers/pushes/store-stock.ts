import { pushStock } from '../../../domain/offers/edit-offer.ts';
import type { StockDeclaration } from '../../../domain/offers/stock.ts';
import type { Queryable } from '../../core/client.ts';
import { isOutdatedText } from '../effective-columns.ts';
import { factsColumnsOf, type FactsRow } from '../offer-facts.ts';
import { factsOf, type OfferFacts } from '../offer-row.ts';
import { findOwnOffer } from '../offers.ts';

/** A push that waited for another change of the offer repeats; each repeat sees that change. */
const triesMax = 5;

export type StockPush = { readonly isRefused: boolean; readonly offer: OfferFacts };

type OfferStock = StockDeclaration & {
  readonly vendorId: string;
  readonly offerId: string;
  readonly declaredInStock: boolean;
};

/**
 * Stores a stock push in the offer and in its supply option by one statement. It implements
 * `pushStock` of the domain; a test compares the two. If the statement did not store the stock, the
 * rule gives the reason. `isRefused`: the offer is Rejected without a barcode, and nothing has
 * changed. Null for an unknown offer and for another vendor's.
 */
export async function storeStock(sql: Queryable, push: OfferStock): Promise<StockPush | null> {
  const { vendorId, offerId, declaredInStock, declaredStockQuantity } = push;
  const values = [offerId, vendorId, declaredInStock, declaredStockQuantity];
  for (let count = 1; count <= triesMax; count += 1) {
    const [row] = await sql.unsafe<PushedRow[]>(pushText, values, { prepare: true });
    if (row === undefined) return null;
    if (row.isStored && !row.isOutdated) return { isRefused: false, offer: factsOf(row) };
    const found = await findOwnOffer(sql, vendorId, offerId);
    if (found === null) return null;
    const { offer } = found;
    if (row.isStored) return { isRefused: false, offer };
    const ruled = pushStock(offer, push, found.now);
    if (!ruled.ok || ruled.value === offer) return { isRefused: !ruled.ok, offer };
  }
  throw new Error('an offer keeps changing, or was approved and has no supply option');
}

/** The quantity that a push declares, as `declareStock` of the domain. */
const quantityText = `case when $3::boolean
    then coalesce($4::integer, nullif(offers.declared_stock_quantity, 0)) else 0 end`;
const differsText = `(offers.declared_in_stock, offers.declared_stock_quantity)
    is distinct from ($3, ${quantityText})`;
/** Whether the offer refuses pushes: a Rejected offer without a barcode. */
const refusesText = `offers.status = 'Rejected' and offers.barcode is null`;

/** `isStored`: the offer has the stock of the push, changed or not. */
type PushedRow = Omit<FactsRow, 'changeTime'> & { readonly isStored: boolean };

/**
 * The changed offer, else the offer as it was when the statement began. A statement that waited for
 * the first approval sees the approved offer, but not the new supply option, so it changes nothing.
 */
const pushText = `
  with changed as (
    update offers set declared_in_stock = $3, declared_stock_quantity = ${quantityText},
      version = offers.version + 1,
      -- Later than the previous change, even if the clock was set back.
      changed_at = greatest(
        business_now(vendors.clock_offset, vendors.clock_stands_at),
          offers.changed_at + interval '1 millisecond')
    from vendors
    where offers.id = $1 and offers.vendor_id = $2 and vendors.id = $2
      and ${differsText} and not (${refusesText})
      and (not offers.ever_approved
        or exists (select from supply_options where offer_id = offers.id))
    returning ${factsColumnsOf('offers')}, offers.changed_at, ${isOutdatedText} as is_outdated
  ), supply as (
    update supply_options set stock_quantity = changed.declared_stock_quantity,
      in_stock = changed.declared_in_stock, updated_at = changed.changed_at
    from changed where supply_options.offer_id = changed.id
  )
  select true as is_stored, is_outdated, ${factsColumnsOf('changed')} from changed
  union all
  select not (${differsText}), ${isOutdatedText}, ${factsColumnsOf('offers')}
  from offers join vendors on vendors.id = offers.vendor_id
  where offers.id = $1 and offers.vendor_id = $2 and not exists (select from changed)`;
