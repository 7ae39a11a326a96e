import postgres from 'postgres';
import type { Offer } from '../../domain/offers/offer.ts';
import { compileObject } from '../core/columns.ts';
import type { Queryable } from '../core/client.ts';
import { instantTextOf } from '../core/instant-text.ts';
import { rowsOf } from '../core/rows.ts';
import { effectiveChangeTime, isOutdatedText } from './effective-columns.ts';
import {
  offerPriceColumns,
  offerEntries,
  type PriceColumns,
  type PlainOffer,
} from './offer-row.ts';
import { findOwnOffer } from './offers.ts';

/** What a vendor reads of an offer, which is half of its columns. */
const plainKeys = [
  'id',
  'status',
  'pricingModel',
  'vendorExternalId',
  'variantId',
  'vendorSku',
  'barcode',
  'rawBrandName',
  'rawProductName',
  'rawConcentration',
  'rawDescription',
  'rawSizeMl',
  'declaredStockQuantity',
  'declaredInStock',
  'reviewedAt',
  'reviewReason',
] as const satisfies readonly (keyof PlainOffer)[];

type PlainFacts = Pick<Offer, (typeof plainKeys)[number]>;
export type OfferFacts = PlainFacts &
  Pick<Offer, 'cost' | 'pendingCost' | 'salePrice' | 'pendingSalePrice'>;

/** `changeTime` as in {@link FoundOffer}. */
export type ReadOffer = { readonly offer: OfferFacts; readonly changeTime: string };

export type FactsRow = PlainFacts &
  PriceColumns & {
    readonly changeTime: string;
    /** The offer has yet to follow a switch of its vendor's agreement: the facts are stale. */
    readonly isOutdated: boolean;
  };

/** The columns of {@link OfferFacts}. */
export const factsColumnNames: readonly string[] = [
  ...plainKeys.map((key) => postgres.fromCamel(key)),
  ...offerPriceColumns.names,
];
/** {@link factsColumnNames} from `offers` or from a subquery of that name. */
export const factsColumnsOf = (table: string): string =>
  factsColumnNames.map((name) => `${table}.${name}`).join(', ');
const columnsText = `${factsColumnsOf('offers')},
  ${instantTextOf(effectiveChangeTime)} as change_time, ${isOutdatedText} as is_outdated`;
const tablesText = 'offers join vendors on vendors.id = offers.vendor_id';
const ownFactsText = `
  select ${columnsText} from ${tablesText} where offers.id = $1 and offers.vendor_id = $2`;

/** Where {@link FactsRow}s are read from. */
export const factsSource = (sql: Queryable) => ({
  columns: sql.unsafe(columnsText),
  tables: sql.unsafe(tablesText),
  alias: sql`offers`,
});

export const factsOf = compileObject(offerEntries(plainKeys)) as (
  row: Omit<FactsRow, 'changeTime'>,
) => OfferFacts;

export const toReadOffer = (row: FactsRow): ReadOffer => ({
  offer: factsOf(row),
  changeTime: row.changeTime,
});

/** A vendor's own offer as it reads it; null for an unknown one and for another vendor's. */
export async function readOwnOffer(
  sql: Queryable,
  vendorId: string,
  id: string,
): Promise<ReadOffer | null> {
  const [row] = await rowsOf(
    sql.unsafe<FactsRow[]>(ownFactsText, [id, vendorId], { prepare: true }),
  );
  if (row === undefined) return null;
  return row.isOutdated ? findOwnOffer(sql, vendorId, id) : toReadOffer(row);
}
