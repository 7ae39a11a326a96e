import type { Queryable } from '../core/client.ts';

/** What the record has of the variants and vendors that an order names, and its clock. */
export type OrderFacts = {
  /** The sku of each variant, whether active or not. */
  readonly skus: ReadonlyMap<string, string>;
  /** Whether each vendor is active. */
  readonly vendors: ReadonlyMap<string, boolean>;
  readonly now: Date;
};

/** What an order names. */
export type OrderNames = {
  readonly variantIds: readonly string[];
  readonly vendorIds: readonly string[];
};

/**
 * Reads the facts of one order, or of several at once. The arrays are looked up from within the statement: with their lengths at
 * hand the planner would always prefer a plan of its own for each, and planning costs more than the reading.
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

type Waiting = {
  readonly names: OrderNames;
  readonly settle: (facts: Promise<OrderFacts>) => void;
};

/**
 * Reads the facts of all orders that came in during one turn of the event loop, or during the read before, by one statement. It begins after each of them was asked for,
 * so each gets what it would have read by itself.
 */
export function shareOrderFacts(sql: Queryable): (names: OrderNames) => Promise<OrderFacts> {
  let waiting: Waiting[] = [];
  let isReading = false;
  const readAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const all = waiting;
      waiting = [];
      const facts = findOrderFacts(sql, {
        variantIds: [...new Set(all.flatMap(({ names }) => names.variantIds))],
        vendorIds: [...new Set(all.flatMap(({ names }) => names.vendorIds))],
      });
      for (const { settle } of all) settle(facts);
      await facts.catch(() => undefined);
    }
    isReading = false;
  };
  return (names) =>
    new Promise((settle) => {
      waiting.push({ names, settle });
      if (isReading) return;
      isReading = true;
      setImmediate(() => void readAll());
    });
}
