import type { Queryable } from './client.ts';

/** What the record has of the variants and vendors that an order names, and its clock. */
export type OrderFacts = {
  /** The sku of each variant, whether active or not. */
  readonly skus: ReadonlyMap<string, string>;
  /** Whether each vendor is active. */
  readonly vendors: ReadonlyMap<string, boolean>;
  readonly now: Date;
};

export async function findOrderFacts(
  sql: Queryable,
  {
    variantIds,
    vendorIds,
  }: { readonly variantIds: readonly string[]; readonly vendorIds: readonly string[] },
): Promise<OrderFacts> {
  const [row] = await sql<[{ skus: Record<string, string>; vendors: Record<string, boolean>; now: Date }]>`
    select clock_timestamp() as now,
      (select coalesce(jsonb_object_agg(id, sku), '{}') from variants where id = any(${[...variantIds]}::uuid[])) as skus,
      (select coalesce(jsonb_object_agg(id, is_active), '{}') from vendors where id = any(${[...vendorIds]}::uuid[]))
        as vendors`;
  return {
    skus: new Map(Object.entries(row.skus)),
    vendors: new Map(Object.entries(row.vendors)),
    now: row.now,
  };
}
