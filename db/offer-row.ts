import type { PricingModel } from '../domain/agreement.ts';
import type { Offer, OfferSource, OfferStatus } from '../domain/offer.ts';
import type { Price } from '../domain/vat.ts';
import type { Queryable } from './client.ts';

/** A row of `offers` joined with its supply option, as Postgres answers it. */
export type OfferRow = {
  readonly id: string;
  readonly vendorId: string;
  readonly status: OfferStatus;
  readonly source: OfferSource;
  readonly pricingModel: PricingModel;
  readonly variantId: string | null;
  readonly vendorSku: string | null;
  readonly vendorExternalId: string | null;
  readonly barcode: string | null;
  readonly rawBrandName: string | null;
  readonly rawProductName: string | null;
  readonly rawConcentration: string | null;
  readonly rawDescription: string | null;
  readonly rawSizeMl: number | null;
  readonly costNet: number;
  readonly costVat: number;
  readonly costEnteredVatInclusive: boolean;
  readonly pendingCostNet: number | null;
  readonly pendingCostVat: number | null;
  readonly pendingCostEnteredVatInclusive: boolean | null;
  readonly priceNet: number | null;
  readonly priceVat: number | null;
  readonly priceEnteredVatInclusive: boolean | null;
  readonly pendingPriceNet: number | null;
  readonly pendingPriceVat: number | null;
  readonly pendingPriceEnteredVatInclusive: boolean | null;
  readonly declaredStockQuantity: number | null;
  readonly declaredInStock: boolean;
  readonly everApproved: boolean;
  readonly awaitingSince: Date | null;
  readonly reviewedAt: Date | null;
  readonly reviewReason: string | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
  readonly supplyOptionId: string | null;
  readonly syncPaused: boolean;
};

const toPrice = (net: number | null, vat: number | null, entered: boolean | null): Price | null =>
  net === null || vat === null || entered === null
    ? null
    : { netHalalas: net, vatHalalas: vat, enteredVatInclusive: entered };

/** The row's price columns folded into prices; every other column is the offer's own. */
export function toOffer(row: OfferRow): Offer {
  const {
    costNet,
    costVat,
    costEnteredVatInclusive,
    pendingCostNet,
    pendingCostVat,
    pendingCostEnteredVatInclusive,
    priceNet,
    priceVat,
    priceEnteredVatInclusive,
    pendingPriceNet,
    pendingPriceVat,
    pendingPriceEnteredVatInclusive,
    ...rest
  } = row;
  return {
    ...rest,
    cost: { netHalalas: costNet, vatHalalas: costVat, enteredVatInclusive: costEnteredVatInclusive },
    pendingCost: toPrice(pendingCostNet, pendingCostVat, pendingCostEnteredVatInclusive),
    salePrice: toPrice(priceNet, priceVat, priceEnteredVatInclusive),
    pendingSalePrice: toPrice(pendingPriceNet, pendingPriceVat, pendingPriceEnteredVatInclusive),
  };
}

/** The columns of {@link OfferRow}, by name: one that a later version adds must not change a prepared statement's answer. */
export const selectOffer = (sql: Queryable) => sql`
  select offers.id, offers.vendor_id, status, source, pricing_model, offers.variant_id, vendor_sku, vendor_external_id,
    barcode, raw_brand_name, raw_product_name, raw_concentration, raw_description, raw_size_ml,
    cost_net, cost_vat, cost_entered_vat_inclusive,
    pending_cost_net, pending_cost_vat, pending_cost_entered_vat_inclusive,
    price_net, price_vat, price_entered_vat_inclusive,
    pending_price_net, pending_price_vat, pending_price_entered_vat_inclusive,
    declared_stock_quantity, declared_in_stock, ever_approved, awaiting_since, reviewed_at, review_reason,
    version, created_at, changed_at,
    supply_options.id as supply_option_id, coalesce(supply_options.is_paused, false) as sync_paused
  from offers left join supply_options on supply_options.offer_id = offers.id`;

const priceColumns = (prefix: 'cost' | 'pending_cost' | 'price' | 'pending_price', price: Price | null) => ({
  [`${prefix}_net`]: price?.netHalalas ?? null,
  [`${prefix}_vat`]: price?.vatHalalas ?? null,
  [`${prefix}_entered_vat_inclusive`]: price?.enteredVatInclusive ?? null,
});

/** An offer as the columns of `offers`, by their names in the database; instants as ISO strings. */
export function offerColumns(offer: Offer): Record<string, string | number | boolean | null> {
  return {
    id: offer.id,
    vendor_id: offer.vendorId,
    status: offer.status,
    source: offer.source,
    pricing_model: offer.pricingModel,
    variant_id: offer.variantId,
    vendor_sku: offer.vendorSku,
    vendor_external_id: offer.vendorExternalId,
    barcode: offer.barcode,
    raw_brand_name: offer.rawBrandName,
    raw_product_name: offer.rawProductName,
    raw_concentration: offer.rawConcentration,
    raw_description: offer.rawDescription,
    raw_size_ml: offer.rawSizeMl,
    ...priceColumns('cost', offer.cost),
    ...priceColumns('pending_cost', offer.pendingCost),
    ...priceColumns('price', offer.salePrice),
    ...priceColumns('pending_price', offer.pendingSalePrice),
    declared_stock_quantity: offer.declaredStockQuantity,
    declared_in_stock: offer.declaredInStock,
    ever_approved: offer.everApproved,
    awaiting_since: offer.awaitingSince?.toISOString() ?? null,
    reviewed_at: offer.reviewedAt?.toISOString() ?? null,
    review_reason: offer.reviewReason,
    version: offer.version,
    created_at: offer.createdAt.toISOString(),
    changed_at: offer.changedAt.toISOString(),
  };
}
