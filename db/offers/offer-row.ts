import { columnsOf } from '../core/columns.ts';
import { instantTextOf } from '../core/statements/instant-text.ts';
import type { Agreement, PricingModel } from '../../domain/accounts/agreement.ts';
import { productDetails, type Offer, type priceFields } from '../../domain/offers/offer.ts';
import { applyPendingSwitch } from '../../domain/offers/switch-agreement.ts';
import type { Price } from '../../domain/vat.ts';
import type { Queryable } from '../core/client.ts';
import { effectiveChangeTime } from './effective-columns.ts';

type PriceKey = 'pendingCost' | 'salePrice' | 'pendingSalePrice';
export type PlainOffer = Omit<Offer, 'cost' | PriceKey | 'supply' | 'agreementVersion'>;

/** The columns that are an offer's own values. */
export const plainOfferColumns = columnsOf<PlainOffer>('offers', {
  id: 'uuid',
  vendorId: 'uuid',
  status: 'text',
  source: 'text',
  pricingModel: 'text',
  agreementEpoch: 'integer',
  variantId: 'uuid?',
  vendorSku: 'text?',
  vendorExternalId: 'text?',
  barcode: 'text?',
  rawBrandName: 'text?',
  rawProductName: 'text?',
  rawConcentration: 'text?',
  rawDescription: 'text?',
  rawSizeMl: 'integer?',
  declaredStockQuantity: 'integer?',
  declaredInStock: 'boolean',
  everApproved: 'boolean',
  identityChanged: 'boolean',
  awaitingSince: 'timestamptz?',
  reviewedAt: 'timestamptz?',
  reviewReason: 'text?',
  version: 'integer',
  judgedVersion: 'integer',
  createdAt: 'timestamptz',
  changedAt: 'timestamptz',
});

export type PriceColumns = Readonly<Record<'costNet' | 'costVat', number>> &
  Readonly<Record<'costEnteredVatInclusive', boolean>> &
  Readonly<Record<`${PriceKey}${'Net' | 'Vat'}`, number | null>> &
  Readonly<Record<`${PriceKey}EnteredVatInclusive`, boolean | null>>;

/** Three columns for each price of an offer. */
export const offerPriceColumns = columnsOf<PriceColumns>('offers', {
  costNet: 'integer',
  costVat: 'integer',
  costEnteredVatInclusive: 'boolean',
  pendingCostNet: 'integer?',
  pendingCostVat: 'integer?',
  pendingCostEnteredVatInclusive: 'boolean?',
  salePriceNet: 'integer?',
  salePriceVat: 'integer?',
  salePriceEnteredVatInclusive: 'boolean?',
  pendingSalePriceNet: 'integer?',
  pendingSalePriceVat: 'integer?',
  pendingSalePriceEnteredVatInclusive: 'boolean?',
});

export const offerColumnNames = [...plainOfferColumns.names, ...offerPriceColumns.names];

/** A row of `offers` with its supply option and its vendor's agreement. */
export type OfferRow = PlainOffer &
  PriceColumns & {
    readonly supplyOptionId: string | null;
    readonly supplyIsPaused: boolean | null;
    readonly supplyPricingModel: PricingModel | null;
    readonly vendorPricingModel: PricingModel;
    readonly vendorRateBasisPoints: number;
    readonly vendorAgreementEpoch: number;
    readonly vendorAgreementVersion: number;
    readonly vendorAgreementChangedAt: Date;
    readonly nextSwitchAt: Date;
    readonly now: Date;
    readonly changeTime: string;
  };

/**
 * `offer` differs from `stored` while the offer has yet to follow a switch of its vendor's
 * agreement.
 */
export type FoundOffer = {
  readonly stored: Offer;
  readonly offer: Offer;
  /** The vendor's agreement, which prices the offer. */
  readonly agreement: Agreement;
  /** The first switch of the vendor's agreement that is not stored yet. */
  readonly switchedAt: Date;
  /** The instant of the read by the vendor's business clock. */
  readonly now: Date;
  /** The effective change time: RFC 3339 text, which keeps microseconds. */
  readonly changeTime: string;
};

/** What a vendor reads of an offer, which is half of its columns. */
export const factsKeys = [
  'id',
  'status',
  'source',
  'pricingModel',
  'variantId',
  ...productDetails,
  'barcode',
  'declaredStockQuantity',
  'declaredInStock',
  'reviewedAt',
  'reviewReason',
] as const satisfies readonly (keyof PlainOffer)[];

export type PlainFacts = Pick<Offer, (typeof factsKeys)[number]>;

/** The facts of {@link factsKeys}, and the prices. */
export type OfferFacts = PlainFacts & Pick<Offer, (typeof priceFields)[number]>;

/** A price by its three columns; null unless all have values. */
const priceOf = (
  net: number | null,
  vat: number | null,
  enteredVatInclusive: boolean | null,
): Price | null =>
  net === null || vat === null || enteredVatInclusive === null
    ? null
    : { netHalalas: net, vatHalalas: vat, enteredVatInclusive };

const costOf = (row: PriceColumns): Price => ({
  netHalalas: row.costNet,
  vatHalalas: row.costVat,
  enteredVatInclusive: row.costEnteredVatInclusive,
});

/** Names each field, because V8 takes many times as long to add fields after a spread. */
const toStoredOffer = (row: OfferRow): Offer => ({
  id: row.id,
  vendorId: row.vendorId,
  status: row.status,
  source: row.source,
  pricingModel: row.pricingModel,
  agreementEpoch: row.agreementEpoch,
  variantId: row.variantId,
  vendorSku: row.vendorSku,
  vendorExternalId: row.vendorExternalId,
  barcode: row.barcode,
  rawBrandName: row.rawBrandName,
  rawProductName: row.rawProductName,
  rawConcentration: row.rawConcentration,
  rawDescription: row.rawDescription,
  rawSizeMl: row.rawSizeMl,
  declaredStockQuantity: row.declaredStockQuantity,
  declaredInStock: row.declaredInStock,
  everApproved: row.everApproved,
  identityChanged: row.identityChanged,
  awaitingSince: row.awaitingSince,
  reviewedAt: row.reviewedAt,
  reviewReason: row.reviewReason,
  version: row.version,
  judgedVersion: row.judgedVersion,
  createdAt: row.createdAt,
  changedAt: row.changedAt,
  cost: costOf(row),
  pendingCost: priceOf(row.pendingCostNet, row.pendingCostVat, row.pendingCostEnteredVatInclusive),
  salePrice: priceOf(row.salePriceNet, row.salePriceVat, row.salePriceEnteredVatInclusive),
  pendingSalePrice: priceOf(
    row.pendingSalePriceNet,
    row.pendingSalePriceVat,
    row.pendingSalePriceEnteredVatInclusive,
  ),
  agreementVersion: row.vendorAgreementVersion,
  supply:
    row.supplyOptionId === null
      ? null
      : {
          optionId: row.supplyOptionId,
          isPaused: row.supplyIsPaused === true,
          pricingModel: row.supplyPricingModel ?? row.pricingModel,
        },
});

/** As {@link toStoredOffer}, for what a vendor reads. */
export const factsOf = (row: PlainFacts & PriceColumns): OfferFacts => ({
  id: row.id,
  status: row.status,
  source: row.source,
  pricingModel: row.pricingModel,
  variantId: row.variantId,
  vendorSku: row.vendorSku,
  vendorExternalId: row.vendorExternalId,
  rawBrandName: row.rawBrandName,
  rawProductName: row.rawProductName,
  rawConcentration: row.rawConcentration,
  rawDescription: row.rawDescription,
  rawSizeMl: row.rawSizeMl,
  barcode: row.barcode,
  declaredStockQuantity: row.declaredStockQuantity,
  declaredInStock: row.declaredInStock,
  reviewedAt: row.reviewedAt,
  reviewReason: row.reviewReason,
  cost: costOf(row),
  pendingCost: priceOf(row.pendingCostNet, row.pendingCostVat, row.pendingCostEnteredVatInclusive),
  salePrice: priceOf(row.salePriceNet, row.salePriceVat, row.salePriceEnteredVatInclusive),
  pendingSalePrice: priceOf(
    row.pendingSalePriceNet,
    row.pendingSalePriceVat,
    row.pendingSalePriceEnteredVatInclusive,
  ),
});

export function toFoundOffer(row: OfferRow): FoundOffer {
  const stored = toStoredOffer(row);
  const offer = applyPendingSwitch(stored, {
    pricingModel: row.vendorPricingModel,
    epoch: row.vendorAgreementEpoch,
    changedAt: row.vendorAgreementChangedAt,
  });
  const { nextSwitchAt: switchedAt, now, changeTime } = row;
  const { vendorPricingModel: pricingModel, vendorRateBasisPoints: rateBasisPoints } = row;
  const agreement = { pricingModel, rateBasisPoints };
  return { stored, offer, agreement, switchedAt, now, changeTime };
}

/** The columns of {@link OfferRow} that are no columns of `offers`, by their names. */
const joinedColumns: Readonly<Record<string, string>> = {
  vendor_pricing_model: 'vendors.pricing_model',
  vendor_rate_basis_points: 'vendors.rate_basis_points',
  vendor_agreement_epoch: 'vendors.agreement_epoch',
  vendor_agreement_version: 'vendors.agreement_version',
  vendor_agreement_changed_at: 'vendors.agreement_changed_at',
  next_switch_at: `coalesce(vendors.agreement_switch_times[offers.agreement_epoch + 1],
    vendors.agreement_changed_at)`,
  now: 'business_now(vendors.clock_offset, vendors.clock_stands_at)',
  change_time: instantTextOf(effectiveChangeTime),
  supply_option_id: 'supply_options.id',
  supply_is_paused: 'supply_options.is_paused',
  supply_pricing_model: 'supply_options.pricing_model',
};

const offerRowColumnsText = [
  ...offerColumnNames.map((name) => `offers.${name}`),
  ...Object.entries(joinedColumns).map(([name, expression]) => `${expression} as ${name}`),
].join(', ');
/** Their names, in the same order. */
export const offerRowNames = [...offerColumnNames, ...Object.keys(joinedColumns)];

const offerRowTablesText = `
  offers join vendors on vendors.id = offers.vendor_id
  left join supply_options on supply_options.offer_id = offers.id`;

export const selectOfferText = `select ${offerRowColumnsText} from ${offerRowTablesText}`;

export const offerRowColumns = (sql: Queryable) => sql.unsafe(offerRowColumnsText);
export const offerRowTables = (sql: Queryable) => sql.unsafe(offerRowTablesText);
export const selectOffer = (sql: Queryable) => sql.unsafe(selectOfferText);
