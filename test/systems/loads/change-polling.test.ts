import { expect } from 'vitest';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import { listGroups } from '../../../db/orders/group-list.ts';
import { moveGroup, type FulfilmentGroup } from '../../../domain/orders/fulfilment-group.ts';
import { change, orderOf, orderTest as test, takeIn } from '../../db/orders/order-rows.ts';
import { addVendor } from '../../db/support.ts';

// D38: a client that polls by change time misses no change, whatever commits meanwhile.
// `test/db/lists/change-times.test.ts` has the order of two changes and a poll.

const writers = 6;
const changesPerWriter = 40;

/** The vendors that poll, and whose shared orders concurrent writers change. */
type Load = {
  readonly sql: Sql;
  readonly variantId: string;
  readonly vendors: readonly string[];
};

const oneOf = <T>(values: readonly T[]): T | undefined =>
  values[Math.floor(Math.random() * values.length)];

/** A random choice of vendors in random order, at times with one repeated and with a null. */
function someVendors(vendors: readonly string[]): readonly (string | null)[] {
  const drawn = vendors.filter(() => Math.random() < 0.6).toSorted(() => Math.random() - 0.5);
  const again = Math.random() < 0.3 ? [oneOf(vendors) ?? null] : [];
  return [...drawn, ...again, ...(Math.random() < 0.4 ? [null] : [])];
}

/**
 * Sleeps up to 8 ms, and often not at all, so that later changes often commit before earlier ones.
 */
const sleepRandomly = (transaction: Queryable) => transaction`
  select pg_sleep(case when random() < 0.5 then 0 else random() * 0.008 end)`;

/** The group with another tracking reference, so that each change of it gives a new state. */
const changed = (group: FulfilmentGroup): FulfilmentGroup => ({
  ...group,
  trackingRef: String(Number(group.trackingRef ?? 0) + 1),
});
const packed = (group: FulfilmentGroup, now: Date): FulfilmentGroup => {
  const moved = moveGroup(changed(group), 'pack', now);
  return moved.ok ? moved.value : changed(group);
};

/** Creates, assigns, packs and patches orders by all writers at once, until the last commits. */
async function writeConcurrently({ sql, variantId, vendors }: Load): Promise<void> {
  const groupIds: string[] = [];
  const unassigned: string[] = [];
  const write = async () => {
    const draw = Math.random();
    const sourced = draw < 0.4 ? undefined : draw < 0.55 ? unassigned.shift() : undefined;
    const known = oneOf(groupIds);
    if (sourced !== undefined) {
      const vendorId = oneOf(vendors) ?? null;
      const assigned = (group: FulfilmentGroup): FulfilmentGroup => ({
        ...changed(group),
        vendorId,
        status: 'Pending',
      });
      await change(sql, sourced, assigned, sleepRandomly);
      groupIds.push(sourced);
    } else if (draw < 0.4 || known === undefined) {
      const order = await takeIn(sql, orderOf(variantId, someVendors(vendors)), sleepRandomly);
      for (const { id, vendorId } of order.groups)
        (vendorId === null ? unassigned : groupIds).push(id);
    } else {
      await change(sql, known, draw < 0.7 ? packed : changed, sleepRandomly);
    }
  };
  const work = async () => {
    for (let done = 0; done < changesPerWriter; done += 1) await write();
  };
  await Promise.all(Array.from({ length: writers }, work));
}

/**
 * How clients poll: whether they read every page of a delta before the next one, and where their
 * next `changedSince` is from: the clock before the last request, or its watermark.
 */
const modes = [
  { pageSize: 1, readsPages: false, from: 'watermark' },
  { pageSize: 2, readsPages: false, from: 'watermark' },
  { pageSize: 3, readsPages: false, from: 'watermark' },
  { pageSize: 100, readsPages: false, from: 'clock' },
  { pageSize: 3, readsPages: true, from: 'watermark' },
  { pageSize: 3, readsPages: true, from: 'clock' },
] as const;

const stateOf = ({ status, trackingRef }: Pick<FulfilmentGroup, 'status' | 'trackingRef'>) =>
  `${status} ${trackingRef ?? '0'}`;

async function storedStates(sql: Sql, vendorId: string, until: string) {
  const rows = await sql<Pick<FulfilmentGroup, 'id' | 'status' | 'trackingRef'>[]>`
    select id, status, tracking_ref from fulfilment_groups
    where vendor_id = ${vendorId} and order_changed_at <= ${until}::text::timestamptz`;
  return new Map(rows.map((row) => [row.id, stateOf(row)]));
}

/**
 * Polls until a request that began after the last commit answers the rest. Returns the last state
 * seen of each group, and the states stored at or before a `changedSince` of the client that it had
 * not seen by then.
 */
async function poll(
  sql: Sql,
  vendorId: string,
  { pageSize, readsPages, from }: (typeof modes)[number],
  isOver: () => boolean,
) {
  const seen = new Map<string, string>();
  const missed = new Set<string>();
  let changedSince = '2000-01-01T00:00:00.000000Z';
  for (;;) {
    const isLast = isOver();
    const clock = new Date().toISOString();
    const filter = { status: null, changedSince };
    const items = [];
    let watermark = '';
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const read = await listGroups(sql, vendorId, filter, { page, pageSize });
      if (page === 1 && readsPages) pages = Math.ceil(read.totalCount / pageSize);
      items.push(...read.items);
      watermark = read.nextChangedSince ?? '';
    }
    for (const group of items) seen.set(group.id, stateOf(group));
    changedSince = from === 'clock' ? clock : watermark;
    // No later request answers a state with an earlier change time, so the client must have seen
    // it.
    for (const [id, state] of await storedStates(sql, vendorId, changedSince)) {
      if (seen.get(id) !== state) missed.add(`${id} ${state}`);
    }
    if (isLast && (readsPages || items.length < pageSize)) return { seen, missed };
  }
}

// Timing decides what commits meanwhile, so the load repeats.
test.for([1, 2, 3])(
  'misses no change in load %i of orders that are created, assigned, packed and patched',
  async (_load, { sql, variantId }) => {
    const vendors = await Promise.all(modes.map(() => addVendor(sql)));
    let isOver = false;
    const [polled] = await Promise.all([
      Promise.all(modes.map((mode, index) => poll(sql, vendors[index] ?? '', mode, () => isOver))),
      writeConcurrently({ sql, variantId, vendors }).finally(() => {
        isOver = true;
      }),
    ]);
    for (const [index, { seen, missed }] of polled.entries()) {
      expect([...missed]).toEqual([]);
      const stored = await storedStates(sql, vendors[index] ?? '', 'infinity');
      expect(seen).toEqual(stored);
      expect(stored.size).toBeGreaterThan(20);
    }
  },
);
