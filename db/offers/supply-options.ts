import { supplyPrices, type Agreement } from '../../domain/accounts/agreement.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { livePrice } from '../../domain/offers/offer-prices.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';
import { firstOf } from '../core/rows.ts';

/**
 * Creates or refreshes the supply option of an offer whose live price a reviewer has just approved:
 * variant, prices by the agreement's markup or commission, stock snapshot, pause (D35).
 */
export async function upsertSupplyOption(
  sql: Queryable,
  offer: Offer,
  agreement: Agreement,
): Promise<void> {
  const live = livePrice(offer);
  const { supply, variantId } = offer;
  if (live === null || variantId === null || supply === null) {
    throw new Error('an approved offer has a variant, a price and a supply option');
  }
  const { sell, payout } = supplyPrices(agreement, live.netHalalas);
  const values = {
    variantId,
    net: live.netHalalas,
    sellNet: sell,
    payoutNet: payout,
    pricingModel: agreement.pricingModel,
    rateBasisPoints: agreement.rateBasisPoints,
    stockQuantity: offer.declaredStockQuantity,
    inStock: offer.declaredInStock,
    isPaused: supply.isPaused,
    updatedAt: offer.changedAt,
  };
  const row = { id: supply.optionId, offerId: offer.id, vendorId: offer.vendorId, ...values };
  await sql`
    insert into supply_options ${sql(row)} on conflict (offer_id) do update set ${sql(values)}`;
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
