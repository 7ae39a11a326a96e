import { shareReads } from '../core/shared-statements.ts';
import type { Queryable } from '../core/client.ts';

/** The stored facts about the variants and vendors that an order names. */
export type OrderFacts = {
  /** The sku of each variant, active or not, and the only vendor that may have it, if any. */
  readonly variants: Readonly<
    Record<string, { readonly sku: string; readonly vendorId: string | null }>
  >;
  /** One instant, by each active vendor's business clock; null for an inactive vendor. */
  readonly vendors: Readonly<Record<string, Date | null>>;
  /** The same instant in real time. */
  readonly now: Date;
};

export type OrderNames = {
  readonly variantIds: readonly string[];
  readonly vendorIds: readonly string[];
};

/**
 * Reads the facts of one or several orders. The subselects hide the arrays' lengths from the
 * planner: otherwise it would plan every call, which costs more than the read.
 */
export async function findOrderFacts(
  sql: Queryable,
  { variantIds, vendorIds }: OrderNames,
): Promise<OrderFacts> {
  type Row = Omit<OrderFacts, 'vendors'> & { vendors: Record<string, string | null> };
  const [row] = await sql<[Row]>`
    select clock.now,
      (select coalesce(jsonb_object_agg(
          id, jsonb_build_object('sku', sku, 'vendorId', vendor_id)), '{}') from variants
        where id = any((select ${[...variantIds]}::uuid[])::uuid[])) as variants,
      (select coalesce(jsonb_object_agg(
          id, case when is_active
            then coalesce(clock_stands_at, clock.now + clock_offset) end), '{}') from vendors
        where id = any((select ${[...vendorIds]}::uuid[])::uuid[])) as vendors
    from (select business_now(null) as now offset 0) as clock`;
  const vendors = Object.entries(row.vendors).map(
    ([id, now]) => [id, now === null ? null : new Date(now)] as const,
  );
  return { ...row, vendors: Object.fromEntries(vendors) };
}

/** The most orders that share one statement; a larger statement would delay each result. */
export const ordersMax = 50;

/**
 * Reads the facts of orders. Facts of orders that arrive during a read are read by the next
 * statement, so these orders are also stored together (decision 0008).
 */
export function createOrderFactsReader(sql: Queryable): (names: OrderNames) => Promise<OrderFacts> {
  const read = shareReads({
    read: async (orders: readonly OrderNames[]) => {
      const facts = await findOrderFacts(sql, {
        variantIds: [...new Set(orders.flatMap(({ variantIds }) => variantIds))],
        vendorIds: [...new Set(orders.flatMap(({ vendorIds }) => vendorIds))],
      });
      return orders.map(() => facts);
    },
    sizeMax: ordersMax,
  });
  return async (names) => (await read(names)) ?? findOrderFacts(sql, names);
}
