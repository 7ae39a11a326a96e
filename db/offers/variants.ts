import type { Fragment } from 'postgres';
import type { Offer, Variant } from '../../domain/offers/offer.ts';
import { foldName } from '../../domain/texts/fold-text.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf } from '../core/columns.ts';
import { firstOf, hasRows, rowCountOf, switchOf } from '../core/rows.ts';
import { readNewest } from '../lists/id-page.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { allWordsOf, anyWordOf } from './words.ts';

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

/**
 * Stores a variant of the catalogue, or of a vendor of a sandbox; false when another variant has
 * the sku.
 */
export const insertVariant = (sql: Queryable, variant: Variant, vendorId: string | null) =>
  hasRows(sql`
    insert into variants ${sql({ ...variant, vendorId }, ...variantColumns.keys, 'vendorId')}
    on conflict (sku) do nothing returning id`);

/**
 * Gives each variant that an earlier version of a sandbox made from an offer to the vendor of that
 * offer; returns how many.
 */
export const giveVariantsToVendors = (sql: Queryable): Promise<number> =>
  rowCountOf(sql`
    update variants set vendor_id = offers.vendor_id from offers
    where variants.vendor_id is null and variants.sku = 'SANDBOX-' || variants.id
      and offers.id = variants.id`);

/** A condition: the variant is of the catalogue or of this vendor; any variant without a vendor. */
const isFor = (sql: Queryable, vendorId: string | null): Fragment =>
  vendorId === null
    ? sql`true`
    : sql`(variants.vendor_id is null or variants.vendor_id = ${vendorId})`;

const selectVariant = (sql: Queryable, id: string) => sql`
  select ${variantColumns.list(sql)} from variants where id = ${id}`;

/** A variant that offers of this vendor may have; any variant without a vendor. */
export const findVariant = (sql: Queryable, id: string, vendorId: string | null) =>
  firstOf(sql<Variant[]>`${selectVariant(sql, id)} and ${isFor(sql, vendorId)}`);

/** As {@link findVariant}, by their ids, which may repeat. */
export async function findVariants(
  sql: Queryable,
  ids: readonly string[],
  vendorId: string | null,
): Promise<ReadonlyMap<string, Variant>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<Variant[]>`
    select ${variantColumns.list(sql)} from variants
    where id = any(${[...new Set(ids)]}::uuid[]) and ${isFor(sql, vendorId)}`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks the row against other changes; rows that refer to it may still be written. */
export const lockVariant = (sql: Queryable, id: string): Promise<Variant | null> =>
  firstOf(sql<Variant[]>`${selectVariant(sql, id)} for no key update`);

export const setVariantActive = switchOf('variants');

/**
 * `barcode`, `text`: only variants with this barcode, and with words that begin like its words.
 * `vendorId`: only those that this vendor may find.
 */
export type VariantFilter = {
  readonly vendorId?: string | null;
  readonly barcode?: string | null;
  readonly text?: string | null;
  readonly isActive?: true | null;
};

/** Newest first. A text without a letter or digit matches none. */
export const listVariants = (
  sql: Queryable,
  { barcode = null, text = null, isActive = null, vendorId = null }: VariantFilter,
  request: PageRequest,
): Promise<Page<Variant>> =>
  readNewest(sql, request, variantColumns, (parts) => {
    const isFound = parts`
      ${barcode === null ? parts`` : parts`and ${isBarcode(parts, barcode)}`}
      ${text === null ? parts`` : parts`and words @@ ${allWordsOf(parts, text)}`}
      ${vendorId === null ? parts`` : parts`and ${isFor(parts, vendorId)}`}`;
    if (isActive === true) return { conditions: parts`and is_active ${isFound}` };
    if (barcode === null && text === null && vendorId === null) return {};
    // The active variants have an index of their own, and the others too.
    return { conditions: parts`and ((is_active ${isFound}) or (not is_active ${isFound}))` };
  });

/** Barcodes are equal as GTIN-14. */
const isBarcode = (sql: Queryable, barcode: string): Fragment =>
  sql`lpad(barcode, 14, '0') = lpad(${barcode}::text, 14, '0')`;

/** The most variants that each way to find candidates finds. The planner knows it as a constant. */
const foundMax = 100;

/** The most variants of a brand that are compared by their words. */
const comparedMax = 10_000;

/**
 * Active variants that an offer may be of, in no order. There are four kinds: variants with its
 * barcode, variants of its brand with all words of its product name, and variants with all words of
 * brand and name. The fourth kind is variants of its brand that share most words with its product
 * name, which may have a size or another word too many. Each kind is bounded.
 */
export async function findCandidates(
  sql: Queryable,
  {
    barcode,
    rawBrandName: brand,
    rawProductName: product,
    vendorId,
  }: Pick<Offer, 'barcode' | 'rawBrandName' | 'rawProductName' | 'vendorId'>,
): Promise<readonly Variant[]> {
  const isBrand = sql`folded_brand = ${brand === null ? null : foldName(brand)}::text`;
  const activeOnes = (condition: Fragment, max: number) => sql`
    select * from variants
    where is_active and ${condition} and ${isFor(sql, vendorId)} ${sql.unsafe(`limit ${max}`)}`;
  const ways = [
    activeOnes(barcode === null ? sql`false` : isBarcode(sql, barcode), foundMax),
    activeOnes(sql`${isBrand} and words @@ ${allWordsOf(sql, product ?? '')}`, foundMax),
    activeOnes(sql`words @@ ${allWordsOf(sql, `${brand ?? ''} ${product ?? ''}`)}`, foundMax),
    sql`
      select * from (${activeOnes(isBrand, comparedMax)}) as compared
      order by ts_rank(words, ${anyWordOf(sql, product ?? '')}) desc, id
      ${sql.unsafe(`limit ${foundMax}`)}`,
  ];
  const found = ways.map(
    (way) => sql<Variant[]>`select ${variantColumns.list(sql)} from (${way}) as variants`,
  );
  const variants = (await Promise.all(found)).flat();
  return [...new Map(variants.map((variant) => [variant.id, variant])).values()];
}
