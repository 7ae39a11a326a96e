import { columnsOf, compileObject, toDatabaseName, type Entry } from '../core/columns.ts';
import { instantTextOf } from '../core/statements/instant-text.ts';
import type { PricingModel } from '../../domain/accounts/agreement.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { applyPendingSwitch } from '../../domain/offers/switch-agreement.ts';
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

/** The names of all columns that {@link toOfferColumns} writes. */
export const offerColumnNames = [...plainOfferColumns.names, ...offerPriceColumns.names];

/** Their Postgres types, in the same order. */
const offerColumnTypes = [plainOfferColumns, offerPriceColumns].flatMap(({ types }) =>
  Object.values(types).map((type) => type.replace('?', '')),
);

/** The columns of a new offer that its insert sets, by the database's clock (D131). */
const instantNames: ReadonlySet<string> = new Set(['created_at', 'changed_at', 'awaiting_since']);
/** The other columns of a new offer, with their types. */
export const givenColumns = offerColumnNames.flatMap((name, index) =>
  instantNames.has(name) ? [] : [{ name, type: offerColumnTypes[index] ?? '' }],
);

/** A new offer with the instant of its insert. */
export const insertedAt = (offer: Offer, at: Date): Offer => ({
  ...offer,
  createdAt: at,
  changedAt: at,
  awaitingSince: offer.awaitingSince === null ? null : at,
});

/** A row of `offers` with its supply option and its vendor's agreement. */
export type OfferRow = PlainOffer &
  PriceColumns & {
    readonly supplyOptionId: string | null;
    readonly supplyIsPaused: boolean | null;
    readonly supplyPricingModel: PricingModel | null;
    readonly vendorPricingModel: PricingModel;
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
  /** The first switch of the vendor's agreement that is not stored yet. */
  readonly switchedAt: Date;
  /** The instant of the read by the vendor's business clock (D131). */
  readonly now: Date;
  /** The effective change time (D80): RFC 3339 text, which keeps microseconds. */
  readonly changeTime: string;
};

const priceKeys = ['cost', 'pendingCost', 'salePrice', 'pendingSalePrice'] as const;

/** A price of a row, null unless its three columns have values. */
function priceEntry(key: (typeof priceKeys)[number]): Entry {
  const [net, vat, entered] = [
    `source.${key}Net`,
    `source.${key}Vat`,
    `source.${key}EnteredVatInclusive`,
  ];
  return [
    key,
    `${net} === null || ${vat} === null || ${entered} === null ? null
      : {netHalalas: ${net}, vatHalalas: ${vat}, enteredVatInclusive: ${entered}}`,
  ];
}

/** The entries of an offer that is read from a row with these keys and the prices' columns. */
export const offerEntries = (keys: readonly (keyof PlainOffer)[]): readonly Entry[] => [
  ...keys.map((key): Entry => [key, `source.${key}`]),
  ...priceKeys.map(priceEntry),
];

const storedOffer = compileObject([
  ...offerEntries(plainOfferColumns.keys),
  ['agreementVersion', 'source.vendorAgreementVersion'],
  [
    'supply',
    `source.supplyOptionId === null ? null : {
      optionId: source.supplyOptionId, isPaused: source.supplyIsPaused === true,
      pricingModel: source.supplyPricingModel ?? source.pricingModel}`,
  ],
]) as (row: OfferRow) => Offer;

export function toFoundOffer(row: OfferRow): FoundOffer {
  const stored = storedOffer(row);
  const offer = applyPendingSwitch(stored, {
    pricingModel: row.vendorPricingModel,
    epoch: row.vendorAgreementEpoch,
    changedAt: row.vendorAgreementChangedAt,
  });
  const { nextSwitchAt: switchedAt, now, changeTime } = row;
  return { stored, offer, switchedAt, now, changeTime };
}

/** The offer with a pending switch applied. */
export const toOffer = (row: OfferRow): Offer => toFoundOffer(row).offer;

const instantKeys = plainOfferColumns.keys.filter((key) =>
  plainOfferColumns.types[key].startsWith('timestamptz'),
);

/** An offer that was stored as JSON, in which its instants are text. */
export function offerOfJson(json: Readonly<Record<string, unknown>>): Offer {
  const instants = instantKeys.map((key) => [key, toInstant(json[key])] as const);
  return { ...json, ...Object.fromEntries(instants) } as unknown as Offer;
}
const toInstant = (value: unknown): Date | null =>
  typeof value === 'string' ? new Date(value) : null;

/** The columns of {@link OfferRow} that are no columns of `offers`, by their names. */
const joinedColumns: Readonly<Record<string, string>> = {
  vendor_pricing_model: 'vendors.pricing_model',
  vendor_agreement_epoch: 'vendors.agreement_epoch',
  vendor_agreement_version: 'vendors.agreement_version',
  // Stored as change times, which are real.
  vendor_agreement_changed_at: 'vendors.agreement_changed_at + vendors.clock_offset',
  next_switch_at: `coalesce(vendors.agreement_switch_times[offers.agreement_epoch + 1],
    vendors.agreement_changed_at) + vendors.clock_offset`,
  now: 'business_now(vendors.clock_offset)',
  change_time: instantTextOf(effectiveChangeTime),
  supply_option_id: 'supply_options.id',
  supply_is_paused: 'supply_options.is_paused',
  supply_pricing_model: 'supply_options.pricing_model',
};

/** The columns of {@link OfferRow}. */
const offerRowColumnsText = [
  ...offerColumnNames.map((name) => `offers.${name}`),
  ...Object.entries(joinedColumns).map(([name, expression]) => `${expression} as ${name}`),
].join(', ');
/** Their names, in the same order. */
export const offerRowNames = [...offerColumnNames, ...Object.keys(joinedColumns)];

const offerRowTablesText = `
  offers join vendors on vendors.id = offers.vendor_id
  left join supply_options on supply_options.offer_id = offers.id`;

/** Selects {@link OfferRow}s. */
export const selectOfferText = `select ${offerRowColumnsText} from ${offerRowTablesText}`;

export const offerRowColumns = (sql: Queryable) => sql.unsafe(offerRowColumnsText);
export const offerRowTables = (sql: Queryable) => sql.unsafe(offerRowTablesText);
export const selectOffer = (sql: Queryable) => sql.unsafe(selectOfferText);

type ColumnValue = string | number | boolean | Date | null;
type ColumnValues = Readonly<Record<string, ColumnValue>>;

const namesOfPrice = (key: (typeof priceKeys)[number]) =>
  [`${key}Net`, `${key}Vat`, `${key}EnteredVatInclusive`].map(toDatabaseName);
const priceNames = priceKeys.map((key) => [key, namesOfPrice(key)] as const);
const valuesOfPrice = (price: Offer['salePrice']): readonly ColumnValue[] => [
  price?.netHalalas ?? null,
  price?.vatHalalas ?? null,
  price?.enteredVatInclusive ?? null,
];

/** An offer as {@link offerColumnNames}, for JSON; with `before`, only what differs from it. */
export function toOfferColumns(offer: Offer, before: Offer | null = null): ColumnValues {
  const values: Record<string, ColumnValue> = {};
  const { keys, names } = plainOfferColumns;
  for (const [index, key] of keys.entries()) {
    if (offer[key] !== before?.[key]) values[names[index] ?? ''] = offer[key];
  }
  for (const [key, [net = '', vat = '', entered = '']] of priceNames) {
    if (offer[key] === before?.[key]) continue;
    const parts = valuesOfPrice(offer[key]);
    values[net] = parts[0] ?? null;
    values[vat] = parts[1] ?? null;
    values[entered] = parts[2] ?? null;
  }
  return values;
}
