import postgres from 'postgres';
import { priceFields, type Offer } from '../../domain/offers/offer.ts';
import { offerPriceColumns, plainOfferColumns } from './offer-row.ts';

/** The columns of a new offer that its insert sets, by the database's clock. */
const instantNames: ReadonlySet<string> = new Set(['created_at', 'changed_at', 'awaiting_since']);
/** The other columns of a new offer, with their types. */
export const givenColumns = [plainOfferColumns, offerPriceColumns]
  .flatMap(({ names, types }) =>
    Object.values(types).map((type, index) => ({
      name: names[index] ?? '',
      type: type.replace('?', ''),
    })),
  )
  .filter(({ name }) => !instantNames.has(name));

/** A new offer with the instant of its insert. */
export const insertedAt = (offer: Offer, at: Date): Offer => ({
  ...offer,
  createdAt: at,
  changedAt: at,
  awaitingSince: offer.awaitingSince === null ? null : at,
});

type ColumnValues = Record<string, string | number | boolean | Date | null>;

/** The prices, and what the names of their columns begin with. */
const priceNames = priceFields.map((key) => [key, postgres.fromCamel(key)] as const);

/** An offer as the columns `offerColumnNames`, for JSON; with `before`, only those that differ. */
export function toOfferColumns(offer: Offer, before: Offer | null = null): Readonly<ColumnValues> {
  const values: ColumnValues = {};
  const { keys, names } = plainOfferColumns;
  for (const [index, key] of keys.entries()) {
    if (offer[key] !== before?.[key]) values[names[index] ?? ''] = offer[key];
  }
  for (const [key, name] of priceNames) {
    const price = offer[key];
    if (price === before?.[key]) continue;
    values[`${name}_net`] = price?.netHalalas ?? null;
    values[`${name}_vat`] = price?.vatHalalas ?? null;
    values[`${name}_entered_vat_inclusive`] = price?.enteredVatInclusive ?? null;
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
