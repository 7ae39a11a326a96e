import postgres from 'postgres';
import { priceFields, type Offer } from '../../domain/offers/offer.ts';
import { offerColumnNames, offerPriceColumns, plainOfferColumns } from './offer-row.ts';

/** The Postgres types of the columns `offerColumnNames`, in the same order. */
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

type ColumnValue = string | number | boolean | Date | null;
type ColumnValues = Readonly<Record<string, ColumnValue>>;

const namesOfPrice = (key: (typeof priceFields)[number]) =>
  [`${key}Net`, `${key}Vat`, `${key}EnteredVatInclusive`].map((name) => postgres.fromCamel(name));
const priceNames = priceFields.map((key) => [key, namesOfPrice(key)] as const);
const valuesOfPrice = (price: Offer['salePrice']): readonly ColumnValue[] => [
  price?.netHalalas ?? null,
  price?.vatHalalas ?? null,
  price?.enteredVatInclusive ?? null,
];

/** An offer as the columns `offerColumnNames`, for JSON; with `before`, only what differs from it. */
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
