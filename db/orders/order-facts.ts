import type { Queryable } from '../core/client.ts';

/** The stored facts about the variants and vendors that an order names, and the database's time. */
export type OrderFacts = {
  /** The sku of each variant, active or not. */
  readonly skus: ReadonlyMap<string, string>;
  /** Whether each vendor is active. */
  readonly vendors: ReadonlyMap<string, boolean>;
  readonly now: Date;
};

type OrderNames = {
  readonly variantIds: readonly string[];
  readonly vendorIds: readonly string[];
};

/**
 * Reads the facts of an order. The subselects hide the arrays' lengths from the planner: otherwise
 * it would plan every call, which costs more than the read.
 */
export async function findOrderFacts(
  sql: Queryable,
  { variantIds, vendorIds }: OrderNames,
): Promise<OrderFacts> {
  const [row] = await sql<
    [{ skus: Record<string, string>; vendors: Record<string, boolean>; now: Date }]
  >`
    select clock_timestamp() as now,
      (select coalesce(jsonb_object_agg(id, sku), '{}') from variants
        where id = any((select ${[...variantIds]}::uuid[])::uuid[])) as skus,
      (select coalesce(jsonb_object_agg(id, is_active), '{}') from vendors
        where id = any((select ${[...vendorIds]}::uuid[])::uuid[])) as vendors`;
  return {
    skus: new Map(Object.entries(row.skus)),
    vendors: new Map(Object.entries(row.vendors)),
    now: row.now,
  };
}
