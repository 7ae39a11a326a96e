import { clockFrom } from '../core/clock.ts';
import type { Queryable } from '../core/client.ts';

/** The stored facts about the variants and vendors that an order names, and the database's time. */
export type OrderFacts = {
  /** The sku of each variant, active or not. */
  readonly skus: ReadonlyMap<string, string>;
  /** Whether each vendor is active. */
  readonly vendors: ReadonlyMap<string, boolean>;
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
 * Reads by one statement the facts of all orders that arrive in one turn of the event loop, or
 * during the previous read. The read begins after each of these requests, so each gets current
 * facts.
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

/**
 * How long the clock of a reading is used, and the most vendors and variants that are remembered.
 */
const clockMs = 10_000;
const namesMax = 20_000;

type RememberedFacts = {
  readonly factsOf: (names: OrderNames) => Promise<OrderFacts>;
  /** Deletes what is remembered, so that the facts of each name are read again. */
  readonly forget: () => void;
};

/**
 * Remembers variants and active vendors, since most orders name the same ones (D121). A variant
 * never changes its sku; `insertOrders` refuses a vendor that is no longer active.
 */
export function rememberOrderFacts(
  read: (names: OrderNames) => Promise<OrderFacts>,
): RememberedFacts {
  // Replaced instead of cleared, because callers still use what they were given.
  let skus = new Map<string, string>();
  let vendors = new Map<string, true>();
  let clock: { readonly now: () => Date; readonly untilMs: number } | null = null;
  const forget = (): void => {
    skus = new Map();
    vendors = new Map();
    clock = null;
  };
  const remember = (facts: OrderFacts): void => {
    if (skus.size + vendors.size > namesMax) forget();
    for (const [id, sku] of facts.skus) skus.set(id, sku);
    for (const [id, isActive] of facts.vendors) if (isActive) vendors.set(id, isActive);
    clock = { now: clockFrom(facts.now), untilMs: performance.now() + clockMs };
  };
  return {
    forget,
    factsOf: async (names) => {
      const isKnown =
        names.variantIds.every((id) => skus.has(id)) &&
        names.vendorIds.every((id) => vendors.has(id));
      if (isKnown && clock !== null && performance.now() < clock.untilMs)
        return { skus, vendors, now: clock.now() };
      const facts = await read(names);
      remember(facts);
      return facts;
    },
  };
}
