import { supplyPrices } from '../domain/agreement.ts';
import type { Offer } from '../domain/offer.ts';
import type { Queryable } from './client.ts';

/**
 * Makes or refreshes the supply option of an offer that was just approved: variant, prices and stock snapshot, not
 * paused (D35). `id` is used when it is made. The markup or commission is read under the same transaction.
 */
export async function upsertSupplyOption(sql: Queryable, id: string, offer: Offer): Promise<void> {
  const live = offer.pricingModel === 'CostPlusMargin' ? offer.cost : offer.salePrice;
  if (live === null || offer.variantId === null)
    throw new Error('an approved offer has a variant and a price');
  const [vendor] = await sql<[{ rateBasisPoints: number }]>`
    select rate_basis_points from vendors where id = ${offer.vendorId}`;
  const { pricingModel } = offer;
  const prices = supplyPrices({ pricingModel, rateBasisPoints: vendor.rateBasisPoints }, live.netHalalas);
  await sql`
    insert into supply_options
      (id, offer_id, vendor_id, variant_id, net, sell_net, payout_net, stock_quantity, in_stock, updated_at)
    values (${id}, ${offer.id}, ${offer.vendorId}, ${offer.variantId}, ${live.netHalalas}, ${prices.sell},
      ${prices.payout}, ${offer.declaredStockQuantity}, ${offer.declaredInStock}, ${offer.changedAt})
    on conflict (offer_id) do update set
      variant_id = excluded.variant_id, net = excluded.net, sell_net = excluded.sell_net,
      payout_net = excluded.payout_net, stock_quantity = excluded.stock_quantity, in_stock = excluded.in_stock,
      is_paused = false, updated_at = excluded.updated_at`;
}
