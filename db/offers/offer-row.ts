import type { PricingModel } from '../../domain/accounts/agreement.ts';
import type { Offer, OfferSource, OfferStatus } from '../../domain/offers/offer.ts';
import { applyPendingSwitch } from '../../domain/offers/switch-agreement.ts';
import type { Price } from '../../domain/vat.ts';
import type { Queryable } from '../core/client.ts';

/** A row of `offers` with its supply option and its vendor's agreement, as Postgres answers it. */
export type OfferRow = {
  readonly id: string;
  readonly vendorId: string;
  readonly status: OfferStatus;
  readonly source: OfferSource;
  readonly pricingModel: PricingModel;
  readonly agreementEpoch: number;
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
  readonly identityChanged: boolean;
  readonly awaitingSince: Date | null;
  readonly reviewedAt: Date | null;
  readonly reviewReason: string | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
  readonly supplyOptionId: string | null;
  readonly supplyIsPaused: boolean | null;
  readonly supplyPricingModel: PricingModel | null;
  readonly vendorPricingModel: PricingModel;
  readonly vendorAgreementEpoch: number;
  readonly vendorAgreementChangedAt: Date;
  readonly nextSwitchAt: Date;
};

/** An offer as it is stored, and as it stands: not the same while it has yet to follow a switch of its vendor's agreement. */
export type FoundOffer = {
  readonly stored: Offer;
  readonly offer: Offer;
  /** When its vendor's agreement was switched for the first time since what is stored. */
  readonly switchedAt: Date;
};

const toPrice = (net: number | null, vat: number | null, entered: boolean | null): Price | null =>
  net === null || vat === null || entered === null
    ? null
    : { netHalalas: net, vatHalalas: vat, enteredVatInclusive: entered };

/** The row's columns folded into prices, supply and agreement; every other column is the offer's own. */
export function toFoundOffer(row: OfferRow): FoundOffer {
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
    supplyOptionId,
    supplyIsPaused,
    supplyPricingModel,
    vendorPricingModel,
    vendorAgreementEpoch,
    vendorAgreementChangedAt,
    nextSwitchAt,
    ...rest
  } = row;
  const stored: Offer = {
    ...rest,
    cost: {
      netHalalas: costNet,
      vatHalalas: costVat,
      enteredVatInclusive: costEnteredVatInclusive,
    },
    pendingCost: toPrice(pendingCostNet, pendingCostVat, pendingCostEnteredVatInclusive),
    salePrice: toPrice(priceNet, priceVat, priceEnteredVatInclusive),
    pendingSalePrice: toPrice(pendingPriceNet, pendingPriceVat, pendingPriceEnteredVatInclusive),
    supply:
      supplyOptionId === null
        ? null
        : {
            optionId: supplyOptionId,
            isPaused: supplyIsPaused === true,
            pricingModel: supplyPricingModel ?? rest.pricingModel,
          },
  };
  const offer = applyPendingSwitch(stored, {
    pricingModel: vendorPricingModel,
    epoch: vendorAgreementEpoch,
    changedAt: vendorAgreementChangedAt,
  });
  return { stored, offer, switchedAt: nextSwitchAt };
}

/** The offer as it stands. */
export const toOffer = (row: OfferRow): Offer => toFoundOffer(row).offer;

/** The columns of {@link OfferRow}, by name: one that a later version adds must not change a prepared statement's answer. */
export const offerRowColumns = (sql: Queryable) => sql`
  offers.id, offers.vendor_id, offers.status, offers.source, offers.pricing_model, offers.agreement_epoch,
  offers.variant_id, offers.vendor_sku, offers.vendor_external_id, offers.barcode, offers.raw_brand_name,
  offers.raw_product_name, offers.raw_concentration, offers.raw_description, offers.raw_size_ml,
  offers.cost_net, offers.cost_vat, offers.cost_entered_vat_inclusive,
  offers.pending_cost_net, offers.pending_cost_vat, offers.pending_cost_entered_vat_inclusive,
  offers.price_net, offers.price_vat, offers.price_entered_vat_inclusive,
  offers.pending_price_net, offers.pending_price_vat, offers.pending_price_entered_vat_inclusive,
  offers.declared_stock_quantity, offers.declared_in_stock, offers.ever_approved, offers.identity_changed,
  offers.awaiting_since,
  offers.reviewed_at, offers.review_reason, offers.version, offers.created_at, offers.changed_at,
  supply_options.id as supply_option_id, supply_options.is_paused as supply_is_paused,
  supply_options.pricing_model as supply_pricing_model,
  vendors.pricing_model as vendor_pricing_model, vendors.agreement_epoch as vendor_agreement_epoch,
  vendors.agreement_changed_at as vendor_agreement_changed_at,
  coalesce(vendors.agreement_switches[offers.agreement_epoch + 1], vendors.agreement_changed_at) as next_switch_at`;

export const offerRowTables = (sql: Queryable) => sql`
  offers join vendors on vendors.id = offers.vendor_id
  left join supply_options on supply_options.offer_id = offers.id`;

export const selectOffer = (sql: Queryable) =>
  sql`select ${offerRowColumns(sql)} from ${offerRowTables(sql)}`;

const priceColumns = (
  prefix: 'cost' | 'pending_cost' | 'price' | 'pending_price',
  price: Price | null,
) => ({
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
    agreement_epoch: offer.agreementEpoch,
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
    identity_changed: offer.identityChanged,
    awaiting_since: offer.awaitingSince?.toISOString() ?? null,
    reviewed_at: offer.reviewedAt?.toISOString() ?? null,
    review_reason: offer.reviewReason,
    version: offer.version,
    created_at: offer.createdAt.toISOString(),
    changed_at: offer.changedAt.toISOString(),
  };
}
