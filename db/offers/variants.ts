import type { Fragment } from 'postgres';
import type { Offer, Variant } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf } from '../core/columns.ts';
import { firstOf, hasRows } from '../core/rows.ts';
import { readNewest } from '../lists/id-page.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { anyWordOf, wordsOf } from './words.ts';

export const variantColumns = columnsOf<Variant>('variants', {
  id: 'uuid',
  sku: 'text',
  brandName: 'text',
  productName: 'text',
  concentration: 'text?',
  sizeMl: 'integer?',
  barcode: 'text?',
  isActive: 'boolean',
});

/** False when another variant has the sku. */
export const insertVariant = (sql: Queryable, variant: Variant): Promise<boolean> =>
  hasRows(sql`
    insert into variants ${sql(variant, ...variantColumns.keys)} on conflict (sku) do nothing
    returning id`);

const selectVariant = (sql: Queryable, id: string) => sql`
  select ${variantColumns.list(sql)} from variants where id = ${id}`;

export const findVariant = (sql: Queryable, id: string): Promise<Variant | null> =>
  firstOf(sql<Variant[]>`${selectVariant(sql, id)}`);

/** Variants by their ids, which may repeat. */
export async function findVariants(
  sql: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Variant>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<Variant[]>`
    select ${variantColumns.list(sql)} from variants where id = any(${[...new Set(ids)]}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks the row against other changes; rows that refer to it may still be written. */
export const lockVariant = (sql: Queryable, id: string): Promise<Variant | null> =>
  firstOf(sql<Variant[]>`${selectVariant(sql, id)} for no key update`);

export async function setVariantActive(
  sql: Queryable,
  id: string,
  isActive: boolean,
): Promise<void> {
  await sql`update variants set is_active = ${isActive} where id = ${id}`;
}

/** `barcode`, `text`: only variants with this barcode, and with words that begin like its words. */
export type VariantFilter = {
  readonly barcode?: string | null;
  readonly text?: string | null;
  readonly isActive?: true | null;
};

/** Newest first. A text without a letter or digit matches none. */
export const listVariants = (
  sql: Queryable,
  { barcode = null, text = null, isActive = null }: VariantFilter,
  request: PageRequest,
): Promise<Page<Variant>> =>
  readNewest(sql, request, variantColumns, (parts) => {
    const isFound = parts`
      ${barcode === null ? parts`` : parts`and ${isBarcode(parts, barcode)}`}
      ${text === null ? parts`` : parts`and words @@ (${wordsOf(parts, text)})`}`;
    if (isActive === true) return { conditions: parts`and is_active ${isFound}` };
    if (barcode === null && text === null) return {};
    // The active variants have an index of their own, and the others too.
    return { conditions: parts`and ((is_active ${isFound}) or (not is_active ${isFound}))` };
  });

/** Barcodes are equal as GTIN-14 (D143). */
const isBarcode = (sql: Queryable, barcode: string): Fragment =>
  sql`lpad(barcode, 14, '0') = lpad(${barcode}::text, 14, '0')`;

/** The most variants that each way to find candidates finds. The planner knows it as a constant. */
const foundMax = 100;

/** The most variants of a brand that are compared by their words. */
const comparedMax = 10_000;

/**
 * Active variants that an offer may be of, in no order: those with its barcode, those of its brand
 * with all words of its product name, those with all words of both, and those of its brand that
 * share most words with its product name, which may have a size or another word too many. Each of
 * the four is bounded.
 */
export async function findCandidates(
  sql: Queryable,
  {
    barcode,
    rawBrandName: brand,
    rawProductName: product,
  }: Pick<Offer, 'barcode' | 'rawBrandName' | 'rawProductName'>,
): Promise<readonly Variant[]> {
  const isBrand = sql`lower(brand_name) = lower(${brand}::text)`;
  const activeOnes = (condition: Fragment, max: number) => sql`
    select * from variants where is_active and ${condition} ${sql.unsafe(`limit ${max}`)}`;
  const ways = [
    activeOnes(barcode === null ? sql`false` : isBarcode(sql, barcode), foundMax),
    activeOnes(sql`${isBrand} and words @@ (${wordsOf(sql, product ?? '')})`, foundMax),
    activeOnes(sql`words @@ (${wordsOf(sql, `${brand ?? ''} ${product ?? ''}`)})`, foundMax),
    sql`
      select * from (${activeOnes(isBrand, comparedMax)}) as compared
      order by ts_rank(words, (${anyWordOf(sql, product ?? '')})) desc, id
      ${sql.unsafe(`limit ${foundMax}`)}`,
  ];
  const found = ways.map(
    (way) => sql<Variant[]>`select ${variantColumns.list(sql)} from (${way}) as variants`,
  );
  const variants = (await Promise.all(found)).flat();
  return [...new Map(variants.map((variant) => [variant.id, variant])).values()];
}
