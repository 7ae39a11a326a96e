import { columnsOf, type RowOf } from '../core/columns.ts';
import { instantTextOf } from '../core/statements/instant-text.ts';
import type { Agreement, PricingModel } from '../../domain/accounts/agreement.ts';
import { priceFields, productDetails, type Offer } from '../../domain/offers/offer.ts';
import { applyPendingSwitch } from '../../domain/offers/switch-agreement.ts';
import type { Price } from '../../domain/vat.ts';
import type { Queryable } from '../core/client.ts';
import { effectiveChangeTime } from './effective-columns.ts';

type PriceField = (typeof priceFields)[number];
type PlainOffer = Omit<Offer, PriceField | 'supply' | 'agreementVersion'>;

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

const priceTypes = {
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
} as const;

/** Three columns for each price of an offer. */
export type PriceColumns = RowOf<typeof priceTypes>;
export const offerPriceColumns = columnsOf<PriceColumns>('offers', priceTypes);

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
export type OfferFacts = PlainFacts & Pick<Offer, PriceField>;

/** Each price with the keys of its three columns. */
const priceKeys = priceFields.map(
  (key) =>
    [key, { net: `${key}Net`, vat: `${key}Vat`, isEntered: `${key}EnteredVatInclusive` }] as const,
);

/** A price by its three columns; null unless all have values. */
const priceOf = (
  net: number | null,
  vat: number | null,
  enteredVatInclusive: boolean | null,
): Price | null =>
  net === null || vat === null || enteredVatInclusive === null
    ? null
    : { netHalalas: net, vatHalalas: vat, enteredVatInclusive };

/**
 * Makes objects with some columns of rows, and with their prices. As in `readerOf`, each begins as
 * a copy of one object with all keys; `further` are keys that the caller sets.
 */
function mapperOf<TMapped>(
  keys: readonly (keyof TMapped & keyof PlainOffer)[],
  further: readonly (keyof TMapped)[] = [],
): (row: Partial<PlainOffer> & PriceColumns) => TMapped {
  const blank: Record<string, unknown> = Object.fromEntries(
    [...keys, ...priceFields, ...further].map((key) => [key, null]),
  );
  return (row) => {
    const mapped = { ...blank };
    for (const key of keys) mapped[key] = row[key];
    for (const [key, { net, vat, isEntered }] of priceKeys)
      mapped[key] = priceOf(row[net], row[vat], row[isEntered]);
    return mapped as TMapped;
  };
}

/** An offer as a vendor reads it. */
export const factsOf = mapperOf<OfferFacts>(factsKeys);

const ownValuesOf = mapperOf<Offer>(plainOfferColumns.keys, ['agreementVersion', 'supply']);

const toStoredOffer = (row: OfferRow): Offer =>
  Object.assign(ownValuesOf(row), {
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

/** Where {@link OfferRow}s are read from. */
export const offerSource = (sql: Queryable) => ({
  columns: sql.unsafe(offerRowColumnsText),
  tables: sql.unsafe(offerRowTablesText),
  alias: sql`offers`,
});
export const selectOffer = (sql: Queryable) => sql.unsafe(selectOfferText);
