import type { StockDeclaration } from '../../../domain/offers/stock.ts';
import { versionAfterSwitches } from '../../../domain/offers/switch-agreement.ts';
import type { Queryable } from '../../core/client.ts';
import { changeTimes } from '../change-time.ts';
import type { OfferRow } from '../offer-row.ts';
import { quantityText, refusesStockText } from './store-stock.ts';

/** A stock push among several; no two are for one offer. */
export type StockPushOf = StockDeclaration & {
  readonly offerId: string;
  readonly declaredInStock: boolean;
};
/** `version` is the one after the push. */
export type StoredStock = { readonly isRefused: boolean; readonly version: number };

/**
 * As `storeStock`, many pushes by one statement. The caller has locked the offers and their
 * supply options. Answers what became of each, by the offer's id.
 */
export async function storeStocks(
  sql: Queryable,
  vendorId: string,
  { pushes, now }: { readonly pushes: readonly StockPushOf[]; readonly now: Date },
): Promise<ReadonlyMap<string, StoredStock>> {
  const rows = pushes.map(({ offerId, declaredInStock, declaredStockQuantity }) => ({
    offer_id: offerId,
    in_stock: declaredInStock,
    quantity: declaredStockQuantity,
  }));
  const times = changeTimes(sql, vendorId);
  const stored = await sql<StoredStockRow[]>`
    with found as materialized (
      select offers.id, offers.version, offers.agreement_epoch, offers.declared_in_stock,
        offers.declared_stock_quantity, vendors.agreement_epoch as vendor_agreement_epoch,
        given.in_stock, ${sql.unsafe(quantityText('given.in_stock', 'given.quantity'))} as quantity,
        ${sql.unsafe(refusesStockText)} as refuses,
        offers.ever_approved and supply_options.id is null as is_stale
      from jsonb_to_recordset(${sql.json(rows)})
        as given(offer_id uuid, in_stock boolean, quantity integer)
      join offers on offers.id = given.offer_id
      join vendors on vendors.id = offers.vendor_id
      left join supply_options on supply_options.offer_id = offers.id
      where offers.vendor_id = ${vendorId}
    ), different as materialized (
      select *, row_number() over (order by id) as place from found
      where (declared_in_stock, declared_stock_quantity) is distinct from (in_stock, quantity)
    )${times.begun}, changed as (
      update offers set declared_in_stock = different.in_stock,
        declared_stock_quantity = different.quantity, version = offers.version + 1,
        -- After a wait for a lock, the time given may be before the previous change.
        changed_at = greatest(${now}, offers.changed_at + interval '1 millisecond')
        ${times.assign(sql`different.place`)}
      from different ${times.join}
      where offers.id = different.id and not different.refuses and not different.is_stale
      returning offers.id, offers.version, offers.changed_at, offers.declared_in_stock,
        offers.declared_stock_quantity
    ), supply as (
      update supply_options set stock_quantity = changed.declared_stock_quantity,
        in_stock = changed.declared_in_stock, updated_at = changed.changed_at
      from changed where supply_options.offer_id = changed.id
    )
    select id, coalesce(changed.version, found.version) as version, found.agreement_epoch,
      found.vendor_agreement_epoch, found.is_stale,
      different.id is not null and found.refuses as is_refused
    from found left join different using (id) left join changed using (id)`;
  return new Map(
    stored.map(({ id, isRefused, isStale, vendorAgreementEpoch, ...offer }) => {
      if (isStale) throw new Error('a locked offer that was approved has no supply option');
      return [id, { isRefused, version: versionAfterSwitches(offer, vendorAgreementEpoch) }];
    }),
  );
}

type StoredStockRow = Pick<
  OfferRow,
  'id' | 'version' | 'agreementEpoch' | 'vendorAgreementEpoch'
> & {
  readonly isRefused: boolean;
  readonly isStale: boolean;
};
