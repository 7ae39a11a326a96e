import { describe, expect } from 'vitest';
import { type Sql } from '../../../db/core/client.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { pruneBatchSize, pruneWebhookHistory } from '../../../db/webhooks/retention.ts';
import {
  ago,
  dayMs,
  idOf,
  seedManyDeliveries,
  seedOldBatch,
  wrongCounts,
} from '../../support/webhooks/old-deliveries.ts';
import { oldDeliveryTest } from '../../support/webhooks/old-delivery-test.ts';
import { countOf, pool } from '../support.ts';

const before = ago(30 * dayMs);
const old = ago(31 * dayMs);
const young = ago(29 * dayMs);

const test = oldDeliveryTest({ at: old, state: 'succeeded' });

const idsOf = async (sql: Sql, table: string): Promise<readonly string[]> =>
  (await sql<{ id: string }[]>`select id from ${sql(table)} order by id`).map(({ id }) => id);
const attemptsOf = async (sql: Sql, deliveryId: string): Promise<readonly number[]> => {
  const found = await sql<{ number: number }[]>`
    select attempt_number as number from webhook_attempts where delivery_id = ${deliveryId}
    order by 1`;
  return found.map(({ number }) => number);
};
const nothing = { deliveries: 0, attempts: 0, events: 0, deliveryBatches: 0, subscriptions: 0 };

describe('what is older than the retention', () => {
  test.for(['succeeded', 'deadLettered', 'cancelled', 'failed'] as const)(
    'is deleted with all that belongs to it, and younger rows stay: %s',
    async (state, { sql, seed }) => {
      const gone = await seed({ state, attempts: [{ at: old }, { at: old }] });
      const kept = await seed({ state, at: young, attempts: [{ at: young }] });
      expect(await wrongCounts(sql)).toEqual([]);
      expect(await pruneWebhookHistory(sql, before)).toMatchObject({ deliveries: 1, events: 1 });
      expect(await idsOf(sql, 'webhook_deliveries')).toEqual([kept]);
      expect(await idsOf(sql, 'webhook_events')).toHaveLength(1);
      expect(await attemptsOf(sql, gone)).toEqual([]);
      expect(await attemptsOf(sql, kept)).toEqual([1]);
      expect(await wrongCounts(sql)).toEqual([]);
      expect(await pruneWebhookHistory(sql, before)).toEqual(nothing);
    },
  );

  test('is decided to the millisecond', async ({ sql, seed }) => {
    await seed({ at: new Date(before.getTime() - 1) });
    const kept = await seed({ at: before });
    await pruneWebhookHistory(sql, before);
    expect(await idsOf(sql, 'webhook_deliveries')).toEqual([kept]);
  });

  test('is deleted in batches, with right counts', async ({ sql, vendorId, subscriptionId }) => {
    const count = pruneBatchSize + 200;
    const owner = { vendorId, subscriptionId };
    await seedManyDeliveries(sql, owner, { count, days: 31, state: 'succeeded' });
    for (const deleted of [pruneBatchSize, 200]) {
      expect((await pruneWebhookHistory(sql, before)).deliveries).toBe(deleted);
      expect(await wrongCounts(sql)).toEqual([]);
      await compactCounters(sql);
      expect(await wrongCounts(sql)).toEqual([]);
    }
    expect(await pruneWebhookHistory(sql, before)).toEqual(nothing);
    for (const table of ['webhook_deliveries', 'webhook_events', 'attempt_counts'])
      expect(await countOf(sql, table)).toBe(0);
  });
});

const failed = { at: old };

describe('retention, however old the rows are', () => {
  test.for([
    ['a delivery that waits, with its event', 'waiting', [], []],
    ['an attempt under way', 'waiting', [{ at: old, succeeded: null }], [1]],
    [
      'newer attempts of a redelivered one',
      'succeeded',
      [failed, failed, { at: young, succeeded: true }],
      [3],
    ],
    ['one that is being redelivered, without any attempt left', 'waiting', [failed], []],
  ] as const)('keeps %s', async ([, state, attempts, kept], { sql, seed }) => {
    const id = await seed({ state, attempts });
    const pruned = { ...nothing, attempts: attempts.length - kept.length };
    expect(await pruneWebhookHistory(sql, before)).toEqual(pruned);
    expect(await attemptsOf(sql, id)).toEqual(kept);
    expect(await sql`select attempts from webhook_deliveries where id = ${id}`).toEqual([
      { attempts: attempts.length },
    ]);
    expect(await countOf(sql, 'webhook_events')).toBe(1);
    expect(await wrongCounts(sql)).toEqual([]);
  });

  test('keeps a batch with a waiting delivery', async ({ sql, seed }) => {
    // A member may be up to a day younger than its batch.
    const at = new Date(before.getTime() - 1);
    const batchId = idOf(at);
    const id = await seed({ state: 'waiting', batchId, at: ago(29.1 * dayMs) });
    await seedOldBatch(sql, { id: batchId, deliveryIds: [id], at });
    const done = idOf(old);
    const deliveryIds = [await seed({ batchId: done })];
    await seedOldBatch(sql, { id: done, deliveryIds, at: old });
    await pruneWebhookHistory(sql, before);
    expect(await idsOf(sql, 'webhook_delivery_batches')).toEqual([batchId]);
  });

  test('keeps an inactive subscription', async ({ sql, subscriptionId }) => {
    await sql`
      update webhook_subscriptions set created_at = ${old}, is_active = false
      where id = ${subscriptionId}`;
    expect(await pruneWebhookHistory(sql, before)).toEqual(nothing);
    expect(await idsOf(sql, 'webhook_subscriptions')).toEqual([subscriptionId]);
  });
});

test('deletes a subscription after all its deliveries', async ({ sql, seed, subscriptionId }) => {
  const remove = (at: Date) => sql`
    update webhook_subscriptions set is_active = false, deleted_at = ${at}
    where id = ${subscriptionId}`;
  await seed({ at: young, attempts: [{ at: young }] });
  await remove(old);
  expect(await pruneWebhookHistory(sql, before)).toEqual(nothing);
  expect(await idsOf(sql, 'webhook_subscriptions')).toEqual([subscriptionId]);

  const later = ago(28 * dayMs);
  await remove(ago(27 * dayMs));
  expect(await pruneWebhookHistory(sql, later)).toMatchObject({ deliveries: 1, subscriptions: 0 });
  expect(await idsOf(sql, 'webhook_deliveries')).toEqual([]);
  await remove(old);
  expect(await pruneWebhookHistory(sql, later)).toEqual({ ...nothing, subscriptions: 1 });
  expect(await idsOf(sql, 'webhook_subscriptions')).toEqual([]);
  expect(await wrongCounts(sql)).toEqual([]);
});

/** The rows that a batch reads, of all tables, by indexes or without. */
async function rowsReadByBatch(sql: Sql): Promise<number> {
  const readUpTo = async (): Promise<number> => {
    await sql`select pg_stat_force_next_flush()`;
    const [row] = await sql<[{ count: number }]>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
      from pg_stat_user_tables where relname like 'webhook_%'`;
    return row.count;
  };
  const start = await readUpTo();
  const full = { deliveries: pruneBatchSize, events: pruneBatchSize };
  const pruned = await pruneWebhookHistory(sql, before);
  expect(pruned).toMatchObject({ ...full, deliveryBatches: pruneBatchSize });
  return (await readUpTo()) - start;
}

test('reads no more as the tables grow', async ({ database, sql, vendorId, subscriptionId }) => {
  // Each connection has statistics of its own.
  const one = pool(database.url, 1);
  const fill = async (count: number, days: number) => {
    await seedManyDeliveries(
      sql,
      { vendorId, subscriptionId },
      { count, days, state: 'succeeded' },
    );
    await sql`analyze`;
  };
  await fill(2 * pruneBatchSize, 31);
  await fill(1000, 1);
  const ofFew = await rowsReadByBatch(one);
  for (let part = 0; part < 4; part += 1) await fill(10_000, 1);
  const ofMany = await rowsReadByBatch(one);
  expect(ofMany).toBeLessThan(ofFew * 1.5);
}, 60_000);
