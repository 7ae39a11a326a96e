import type { Variant } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { offsetOf, type Page, type PageRequest } from '../lists/page.ts';

/** Answers false when another variant has the sku. */
export async function insertVariant(sql: Queryable, variant: Variant): Promise<boolean> {
  const inserted = await sql`
    insert into variants (id, sku, brand_name, product_name, concentration, size_ml, barcode, is_active)
    values (${variant.id}, ${variant.sku}, ${variant.brandName}, ${variant.productName},
      ${variant.concentration}, ${variant.sizeMl}, ${variant.barcode}, ${variant.isActive})
    on conflict (sku) do nothing returning id`;
  return inserted.length === 1;
}

export async function findVariant(sql: Queryable, id: string): Promise<Variant | null> {
  const [row] = await sql<Variant[]>`
    select id, sku, brand_name, product_name, concentration, size_ml, barcode, is_active
    from variants where id = ${id}`;
  return row ?? null;
}

/** Locks the row until the transaction ends, against whoever would change it; rows that refer to it may still be written. */
export async function lockVariant(sql: Queryable, id: string): Promise<Variant | null> {
  const [row] = await sql<Variant[]>`
    select id, sku, brand_name, product_name, concentration, size_ml, barcode, is_active
    from variants where id = ${id} for no key update`;
  return row ?? null;
}

export async function setVariantActive(
  sql: Queryable,
  id: string,
  isActive: boolean,
): Promise<void> {
  await sql`update variants set is_active = ${isActive} where id = ${id}`;
}

export async function listVariants(sql: Queryable, request: PageRequest): Promise<Page<Variant>> {
  const [items, [count]] = await Promise.all([
    sql<Variant[]>`
      select id, sku, brand_name, product_name, concentration, size_ml, barcode, is_active
      from variants order by created_at desc, id desc
      limit ${request.pageSize} offset ${offsetOf(request)}`,
    sql<[{ total: number }]>`select count(*)::int as total from variants`,
  ]);
  return { items, totalCount: count.total };
}
