import type { Variant } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf } from '../core/columns.ts';
import { firstOf, hasRows } from '../core/rows.ts';
import { readNewest } from '../lists/id-page.ts';
import type { Page, PageRequest } from '../lists/page.ts';

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

/** Newest first. */
export const listVariants = (sql: Queryable, request: PageRequest): Promise<Page<Variant>> =>
  readNewest(sql, request, variantColumns);

/** Only variants with this barcode, and with words that begin like those of the text. */
export type VariantFilter = { readonly barcode: string | null; readonly text: string | null };

/** The active ones, newest first. A text without a letter or digit matches none. */
export const listActiveVariants = (
  sql: Queryable,
  { barcode, text }: VariantFilter,
  request: PageRequest,
): Promise<Page<Variant>> =>
  readNewest(sql, request, variantColumns, (parts) => {
    const hasBarcode =
      barcode === null
        ? parts``
        : parts`and lpad(barcode, 14, '0') = lpad(${barcode}::text, 14, '0')`;
    // The text goes through the expression of the column, so that equal words are equal.
    const hasWords =
      text === null
        ? parts``
        : parts`and words @@ (
            select string_agg('''' || word || ''':*', ' & ')::tsquery
            from unnest(tsvector_to_array(to_tsvector('simple', regexp_replace(
              lower(regexp_replace(normalize(${text}::text, nfkd), '[\\u0300-\\u036f]', '', 'g')),
              '[!-/:-@\\[-\`{-~]+', ' ', 'g'
            )))) as word
          )`;
    return { conditions: parts`and is_active ${hasBarcode} ${hasWords}` };
  });
