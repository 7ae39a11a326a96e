import { describe, expect } from 'vitest';
import { type Sql } from '../../../db/core/client.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { pruneBatchSize, pruneWebhookHistory } from '../../../db/webhooks/retention.ts';
import {
  ago,
  dayMs,
  idOf,
  seedManyDeliveries,
  seedOldDelivery,
  seedOldBatch,
  wrongCounts,
  type OldDelivery,
} from '../../support/webhooks/old-deliveries.ts';
import { addSubscription, addVendor } from '../support.ts';
import { databaseTest } from '../../support/database/database-test.ts';

const before = ago(30 * dayMs);
const old = ago(31 * dayMs);
const young = ago(29 * dayMs);

const test = databaseTest
  .extend('vendorId', ({ sql }) => addVendor(sql))
  .extend('subscriptionId', ({ sql, vendorId }) => addSubscription(sql, vendorId))
  .extend(
    'seed',
    ({ sql, vendorId, subscriptionId }) =>
      (given: Partial<OldDelivery>): Promise<string> =>
        seedOldDelivery(sql, { vendorId, subscriptionId, at: old, state: 'succeeded', ...given }),
  );

test.beforeEach(async ({ sql }) => {
  await sql`truncate webhook_subscriptions, webhook_deliveries, webhook_attempts, webhook_answers,
    webhook_events, webhook_delivery_batches, attempt_counts, delivery_counts, outbox`;
});

const idsOf = async (sql: Sql, table: string): Promise<readonly string[]> =>
  (await sql<{ id: string }[]>`select id from ${sql(table)} order by id`).map(({ id }) => id);
const attemptsOf = async (sql: Sql, deliveryId: string): Promise<readonly number[]> =>
  (
    await sql<{ attemptNumber: number }[]>`
      select attempt_number from webhook_attempts where delivery_id = ${deliveryId} order by 1`
  ).map(({ attemptNumber }) => attemptNumber);
const nothing = { deliveries: 0, attempts: 0, events: 0, deliveryBatches: 0, subscriptions: 0 };

describe('what is older than the retention', () => {
  test.for(['succeeded', 'deadLettered', 'cancelled', 'failed'] as const)(
    'goes with all that belongs to it, and younger ones stay: %s',
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

  test('goes to the millisecond', async ({ sql, seed }) => {
    const at = new Date(before.getTime());
    await seed({ at: new Date(at.getTime() - 1) });
    const kept = await seed({ at });
    await pruneWebhookHistory(sql, before);
    expect(await idsOf(sql, 'webhook_deliveries')).toEqual([kept]);
  });

  test('deletes in batches with true counts', async ({ sql, vendorId, subscriptionId }) => {
    const count = pruneBatchSize + 200;
    const owner = { vendorId, subscriptionId };
    await seedManyDeliveries(sql, owner, { count, days: 31, state: 'succeeded' });
    expect((await pruneWebhookHistory(sql, before)).deliveries).toBe(pruneBatchSize);
    expect(await wrongCounts(sql)).toEqual([]);
    await compactCounters(sql);
    expect((await pruneWebhookHistory(sql, before)).deliveries).toBe(200);
    await compactCounters(sql);
    expect(await wrongCounts(sql)).toEqual([]);
    expect(await pruneWebhookHistory(sql, before)).toEqual(nothing);
    for (const table of [
      'webhook_deliveries',
      'webhook_attempts',
      'webhook_events',
      'attempt_counts',
    ]) {
      expect(await sql`select from ${sql(table)}`).toHaveLength(0);
    }
  });
});

describe('what stays, however old', () => {
  test('a delivery that waits, with its event and the attempt under way', async ({ sql, seed }) => {
    const waitingOne = await seed({ state: 'waiting' });
    const underWay = await seed({ state: 'waiting', attempts: [{ at: old, succeeded: null }] });
    expect(await pruneWebhookHistory(sql, before)).toEqual(nothing);
    expect(await idsOf(sql, 'webhook_deliveries')).toEqual([waitingOne, underWay].toSorted());
    expect(await attemptsOf(sql, underWay)).toEqual([1]);
  });

  test('keeps newer attempts of a redelivered one', async ({ sql, seed }) => {
    const id = await seed({
      state: 'succeeded',
      attempts: [{ at: old }, { at: old }, { at: young, succeeded: true }],
    });
    expect(await pruneWebhookHistory(sql, before)).toEqual({ ...nothing, attempts: 2 });
    expect(await idsOf(sql, 'webhook_deliveries')).toEqual([id]);
    expect(await attemptsOf(sql, id)).toEqual([3]);
    expect(await wrongCounts(sql)).toEqual([]);
  });

  test('one that is being redelivered, without any attempt left', async ({ sql, seed }) => {
    const id = await seed({ state: 'waiting', attempts: [{ at: old }] });
    await pruneWebhookHistory(sql, before);
    expect(await sql`select attempts from webhook_deliveries where id = ${id}`).toEqual([
      { attempts: 1 },
    ]);
    expect(await wrongCounts(sql)).toEqual([]);
  });

  test('keeps a batch with a delivery still to make', async ({ sql, seed }) => {
    const batchId = idOf(old);
    const id = await seed({ state: 'waiting', batchId });
    await seedOldBatch(sql, { id: batchId, deliveryIds: [id], at: old });
    const done = idOf(old);
    await seedOldBatch(sql, {
      id: done,
      deliveryIds: [await seed({ batchId: done })],
      at: old,
    });

    await pruneWebhookHistory(sql, before);

    expect(await idsOf(sql, 'webhook_delivery_batches')).toEqual([batchId]);
  });

  test('keeps a subscription that is inactive', async ({ sql, vendorId, subscriptionId }) => {
    await sql`update webhook_subscriptions set created_at = ${old}`;
    const inactive = await addSubscription(sql, vendorId);
    await sql`update webhook_subscriptions set is_active = false, created_at = ${old}
      where id = ${inactive}`;
    expect(await pruneWebhookHistory(sql, before)).toEqual(nothing);
    expect(await idsOf(sql, 'webhook_subscriptions')).toEqual(
      [subscriptionId, inactive].toSorted(),
    );
  });
});

test('deletes a deleted subscription last', async ({ sql, seed, subscriptionId }) => {
  const remove = (at: Date) => sql`
    update webhook_subscriptions set is_active = false, deleted_at = ${at}
    where id = ${subscriptionId}`;
  const id = await seed({ at: young, attempts: [{ at: young }] });
  await remove(old);
  expect(await pruneWebhookHistory(sql, before)).toEqual(nothing);
  expect(await idsOf(sql, 'webhook_subscriptions')).toEqual([subscriptionId]);

  const later = ago(28 * dayMs);
  await remove(ago(27 * dayMs));
  expect(await pruneWebhookHistory(sql, later)).toMatchObject({ deliveries: 1, subscriptions: 0 });
  expect(await idsOf(sql, 'webhook_deliveries')).not.toContain(id);
  await remove(old);
  expect(await pruneWebhookHistory(sql, later)).toEqual({ ...nothing, subscriptions: 1 });
  expect(await idsOf(sql, 'webhook_subscriptions')).toEqual([]);
  expect(await wrongCounts(sql)).toEqual([]);
});
