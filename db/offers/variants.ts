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
    insert into variants ${sql(variant, ...variantColumns.keys)} on conflict (sku) do nothing returning id`);

const selectVariant = (sql: Queryable, id: string) => sql`
  select ${variantColumns.list(sql)} from variants where id = ${id}`;

export const findVariant = (sql: Queryable, id: string): Promise<Variant | null> =>
  firstOf(sql<Variant[]>`${selectVariant(sql, id)}`);

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
  readNewest(sql, request, 'variants', variantColumns);
