import { supplyPrices, type Agreement } from '../../domain/accounts/agreement.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { livePrice } from '../../domain/offers/offer-prices.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf } from '../core/columns.ts';
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
  await sql`
    insert into supply_options
      (id, offer_id, vendor_id, variant_id, net, sell_net, payout_net, pricing_model,
        rate_basis_points, stock_quantity, in_stock, is_paused, updated_at)
    values (${supply.optionId}, ${offer.id}, ${offer.vendorId}, ${variantId}, ${live.netHalalas},
      ${sell}, ${payout}, ${agreement.pricingModel}, ${agreement.rateBasisPoints},
      ${offer.declaredStockQuantity}, ${offer.declaredInStock}, ${supply.isPaused}, ${offer.changedAt})
    on conflict (offer_id) do update set
      variant_id = excluded.variant_id, net = excluded.net, sell_net = excluded.sell_net,
      payout_net = excluded.payout_net, pricing_model = excluded.pricing_model,
      rate_basis_points = excluded.rate_basis_points, stock_quantity = excluded.stock_quantity,
      in_stock = excluded.in_stock, is_paused = excluded.is_paused, updated_at = excluded.updated_at`;
}

/** A supply option; net amounts in halalas. `sellNet` is text, because it may exceed an integer. */
export type SupplyOption = {
  readonly id: string;
  readonly variantId: string;
  readonly isPaused: boolean;
  readonly net: number;
  readonly sellNet: string;
  readonly payoutNet: number;
  readonly stockQuantity: number | null;
  readonly inStock: boolean;
  readonly updatedAt: Date;
};

export const supplyOptionColumns = columnsOf<SupplyOption>('supply_options', {
  id: 'uuid',
  variantId: 'uuid',
  isPaused: 'boolean',
  net: 'integer',
  sellNet: 'bigint',
  payoutNet: 'integer',
  stockQuantity: 'integer?',
  inStock: 'boolean',
  updatedAt: 'timestamptz',
});

export const findSupplyOption = (sql: Queryable, offerId: string): Promise<SupplyOption | null> =>
  firstOf(sql<SupplyOption[]>`
    select ${supplyOptionColumns.list(sql)} from supply_options where offer_id = ${offerId}`);
