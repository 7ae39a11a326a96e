import { describe, expect } from 'vitest';
import { type Sql } from '../../../db/core/client.ts';
import { requestRuns } from '../../../db/checks/request-runs.ts';
import { scanRows } from '../../../db/checks/scan.ts';
import { findWaitingRows, leastId } from '../../../db/checks/waiting-rows.ts';
import { unlistedDeliveries } from '../../../db/checks/webhook-rows.ts';
import { workerLost } from '../../../db/webhooks/attempts/begin-attempts.ts';
import { cancelStaleSamples } from '../../../db/webhooks/cancel-samples.ts';
import { ago, idOf, seedManyDeliveries } from '../../support/webhooks/old-deliveries.ts';
import { oldDeliveryTest } from '../../support/webhooks/old-delivery-test.ts';
import { seedReturn } from '../../support/returns/seed-returns.ts';
import { seedVariant } from '../../support/seeds/seed.ts';
import type { Message } from '../support.ts';

const overdue = ago(660_000);
const recent = ago(540_000);
const lostAttempt = { at: overdue, succeeded: null };

const test = oldDeliveryTest({ at: overdue, state: 'waiting' });

const messages = (sql: Sql) =>
  sql<(Message & { readonly subjectId: string })[]>`
    select kind, subject_id, payload from outbox order by id`;
const kinds = ['webhookDelivery', 'returnInspection'] as const;
const nothing = { webhookDelivery: 0, returnInspection: 0 };

/** Requests the runs of everything that waits, as if Temporal had none; returns how many. */
async function requestAll(sql: Sql): Promise<Record<string, number>> {
  const requested = kinds.map(async (kind) => {
    const waiting = await findWaitingRows(sql, kind, { after: leastId, limit: 1000 });
    return [kind, await requestRuns(sql, kind, waiting)];
  });
  return Object.fromEntries(await Promise.all(requested)) as Record<string, number>;
}

describe('a delivery that waits without a run', () => {
  test('gets one message to continue after its attempts', async ({ sql, vendorId, seed }) => {
    const fresh = await seed();
    const failed = await seed({ attempts: [{ at: overdue, nextAttemptAt: overdue }] });
    const lost = await seed({ attempts: [lostAttempt] });
    const asked = Date.now();
    expect(await requestAll(sql)).toEqual({ ...nothing, webhookDelivery: 3 });
    const attempts: Record<string, number> = { [fresh]: 0, [failed]: 1, [lost]: 1 };
    const eventType = 'vendor.offer.review-decision';
    for (const { kind, subjectId, payload } of await messages(sql)) {
      expect(kind).toBe('webhookDelivery');
      const retry = { vendorId, eventType, signal: 'retry', attempts: attempts[subjectId] };
      expect(payload).toMatchObject(retry);
      expect(Date.parse(String(payload['dueAt']))).toBeGreaterThanOrEqual(asked - 1000);
    }
    expect(await requestAll(sql)).toEqual(nothing);
  });

  test('keeps its position in the retry schedule', async ({ sql, seed }) => {
    const nextAttemptAt = new Date(Date.now() + 3_600_000);
    const failed = { at: overdue };
    const attempts = [failed, failed, failed, failed, { at: recent, nextAttemptAt }];
    const id = await seed({ attempts });
    const dead = sql`delivery_id = ${id} and attempt_number = 1`;
    await sql`update webhook_attempts set dead_lettered_at = ${overdue} where ${dead}`;
    const lost = sql`delivery_id = ${id} and attempt_number = 3`;
    await sql`update webhook_attempts set error_summary = ${workerLost} where ${lost}`;
    expect(await requestAll(sql)).toEqual({ ...nothing, webhookDelivery: 1 });
    const [message] = await messages(sql);
    expect(message?.payload).toMatchObject({ attempts: 5, tries: 3 });
    expect(new Date(String(message?.payload['dueAt']))).toEqual(nextAttemptAt);
  });

  test('gets no message when it has one, or has ended', async ({ sql, seed }) => {
    const id = await seed();
    await sql`
      insert into outbox (kind, subject_id, payload) values ('webhookDelivery', ${id}, '{}')`;
    for (const state of ['succeeded', 'deadLettered', 'cancelled', 'failed'] as const)
      await seed({ state, attempts: [{ at: overdue }] });
    expect(await requestAll(sql)).toEqual(nothing);
  });
});

test('leaves what is in the queue, and a batch of an earlier version with a message', async ({
  sql,
  subscriptionId,
  seed,
}) => {
  const queued = await seed();
  await sql`
    insert into delivery_queue (subscription_id, due_at, delivery_id)
    values (${subscriptionId}, now(), ${queued})`;
  await sql`update webhook_deliveries set next_attempt_at = null where id = ${queued}`;
  const batchId = idOf(overdue);
  const batched = await seed({ batchId });
  await sql`
    insert into outbox (kind, subject_id, payload) values ('webhookDeliveryBatch', ${batchId}, '{}')`;
  expect(await requestAll(sql)).toEqual(nothing);
  // Without the message, its run continues from the delivery.
  await sql`delete from outbox`;
  expect(await requestAll(sql)).toEqual({ ...nothing, webhookDelivery: 1 });
  expect(await messages(sql)).toMatchObject([{ subjectId: batched }]);
});

test('finds a delivery that has left the queue without an attempt, and gives it a run', async ({
  sql,
  seed,
}) => {
  const findLost = async () => {
    const lost: string[] = [];
    for await (const { wrong } of scanRows(sql, unlistedDeliveries, 0))
      lost.push(...wrong.map(({ id }) => id));
    return lost;
  };
  const id = await seed();
  await sql`update webhook_deliveries set next_attempt_at = null where id = ${id}`;
  expect(await requestAll(sql)).toEqual(nothing);
  expect(await findLost()).toEqual([id]);
  expect(await unlistedDeliveries.repair(sql, [id])).toBe(1);
  expect(await findLost()).toEqual([]);
  expect(await requestAll(sql)).toEqual({ ...nothing, webhookDelivery: 1 });
});

test('requests a run once for an open return without one', async ({ sql, vendorId }) => {
  const times = { startMs: 1000, windowMs: 2000 };
  const variantId = await seedVariant(sql);
  const { id, number } = await seedReturn(sql, { vendorId, variantId, times });
  await sql`delete from outbox`;
  expect(await requestAll(sql)).toEqual({ ...nothing, returnInspection: 1 });
  const payload = {
    vendorId,
    returnNumber: number,
    isForSupplier: true,
    signal: 'changed',
    inspectionStartMs: 1000,
    inspectionWindowMs: 2000,
  };
  expect(await messages(sql)).toEqual([{ kind: 'returnInspection', subjectId: id, payload }]);
  expect(await requestAll(sql)).toEqual(nothing);
  for (const status of ['Rejected', 'RefundReleased', 'Closed', 'Withdrawn']) {
    await sql`delete from outbox`;
    await sql`update return_requests set status = ${status} where id = ${id}`;
    expect(await requestAll(sql), status).toEqual(nothing);
  }
});

test.for([
  ['is cancelled without an attempt', { at: overdue }, 'cancelled'],
  ['is left alone if it was fired just now', { at: recent }, 'waiting'],
  ['is cancelled with its lost attempt', { attempts: [lostAttempt] }, 'cancelled'],
] as const)('never sends a sample late: it %s', async ([, given, state], { sql, seed }) => {
  const id = await seed({ isTest: true, ...given });
  await cancelStaleSamples(sql);
  expect(await requestAll(sql)).toEqual(nothing);
  expect(await messages(sql)).toEqual([]);
  expect(await sql`select state, is_under_way from webhook_deliveries where id = ${id}`).toEqual([
    { state, isUnderWay: false },
  ]);
  const attempts = await sql`select from webhook_attempts where succeeded is not false`;
  expect(attempts).toHaveLength(0);
});

test('requests 1,000 runs, then the rest', async ({ sql, vendorId, subscriptionId }) => {
  const many = { count: 1500, days: 1, state: 'waiting' } as const;
  await seedManyDeliveries(sql, { vendorId, subscriptionId }, many);
  expect(await requestAll(sql)).toEqual({ ...nothing, webhookDelivery: 1000 });
  expect(await requestAll(sql)).toEqual({ ...nothing, webhookDelivery: 500 });
  expect(await requestAll(sql)).toEqual(nothing);
});
