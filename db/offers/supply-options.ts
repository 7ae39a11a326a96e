import { supplyPrices, type Agreement } from '../../domain/accounts/agreement.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { livePrice } from '../../domain/offers/offer-prices.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, toDatabaseNames, type RowOf } from '../core/columns.ts';
import { firstOf } from '../core/rows.ts';

/**
 * Creates or refreshes the supply options of offers whose live price a reviewer has just approved:
 * variant, prices by the agreement's markup or commission, stock snapshot, pause.
 */
export async function upsertSupplyOptions(
  sql: Queryable,
  approved: readonly { readonly after: Offer; readonly agreement: Agreement }[],
): Promise<void> {
  const rows = approved.map(({ after, agreement }) => toDatabaseNames(optionRow(after, agreement)));
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const refreshed = columns.filter((name) => !keyColumns.includes(name));
  await sql`
    insert into supply_options (${sql.unsafe(columns.join(', '))})
    select ${sql.unsafe(columns.join(', '))}
    from jsonb_populate_recordset(null::supply_options, ${sql.json(rows)})
    on conflict (offer_id) do update set
      ${sql.unsafe(refreshed.map((name) => `${name} = excluded.${name}`).join(', '))}`;
}

/** An approval of a known supply option refreshes all other columns of {@link optionRow}. */
const keyColumns = ['id', 'offer_id', 'vendor_id'];

function optionRow(offer: Offer, agreement: Agreement) {
  const live = livePrice(offer);
  const { supply, variantId } = offer;
  if (live === null || variantId === null || supply === null) {
    throw new Error('an approved offer has a variant, a price and a supply option');
  }
  const { sell, payout } = supplyPrices(agreement, live.netHalalas);
  return {
    id: supply.optionId,
    offerId: offer.id,
    vendorId: offer.vendorId,
    variantId,
    net: live.netHalalas,
    sellNet: sell,
    payoutNet: payout,
    pricingModel: agreement.pricingModel,
    rateBasisPoints: agreement.rateBasisPoints,
    stockQuantity: offer.declaredStockQuantity,
    inStock: offer.declaredInStock,
    isPaused: supply.isPaused,
    updatedAt: offer.changedAt.toISOString(),
  };
}

const supplyOptionTypes = {
  id: 'uuid',
  variantId: 'uuid',
  isPaused: 'boolean',
  net: 'integer',
  sellNet: 'bigint',
  payoutNet: 'integer',
  stockQuantity: 'integer?',
  inStock: 'boolean',
  updatedAt: 'timestamptz',
} as const;

/** A supply option; net amounts in halalas. `sellNet` is text, because it may exceed an integer. */
export type SupplyOption = RowOf<typeof supplyOptionTypes>;
export const supplyOptionColumns = columnsOf<SupplyOption>('supply_options', supplyOptionTypes);

export const findSupplyOption = (sql: Queryable, offerId: string): Promise<SupplyOption | null> =>
  firstOf(sql<SupplyOption[]>`
    select ${supplyOptionColumns.list(sql)} from supply_options where offer_id = ${offerId}`);
