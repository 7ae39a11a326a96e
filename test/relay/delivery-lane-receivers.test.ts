import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { Sql } from '../../db/core/client.ts';
import { claimOutboxMessages } from '../../db/outbox/outbox.ts';
import {
  answered,
  createTestLane,
  runUntil,
  type AnswerTo,
} from '../support/webhooks/test-lane.ts';
import {
  addDeliveries,
  addManyDeliveries,
  newSubscriber,
  standing,
  attemptTexts,
  type Subscriber,
} from '../db/webhooks/delivery-rows.ts';
import { databaseTest } from '../support/database/database-test.ts';

const test = databaseTest;
const waiting = { timeout: 20_000, interval: 10 };

test.beforeEach(async ({ sql }) => {
  await sql`truncate outbox, webhook_delivery_batches, webhook_deliveries, webhook_attempts,
    webhook_answers`;
});

/** Holds the answers to one vendor's events until the test gives them. */
function holdingFor({ vendorId }: Subscriber) {
  const held: (() => void)[] = [];
  let isOpen = false;
  const answerTo: AnswerTo = ({ body }) =>
    isOpen || !body.includes(vendorId)
      ? answered
      : new Promise((resolve) => {
          held.push(() => resolve(answered));
        });
  return {
    held,
    answerTo,
    giveAll: (): void => {
      isOpen = true;
      for (const give of held.splice(0)) give();
    },
  };
}
const dueBatches = (sql: Sql) => claimOutboxMessages(sql, 10, { lane: 'batches' });
const unclaimed = async (sql: Sql): Promise<number> =>
  (await sql`select from outbox where kind = 'webhookDelivery'`).length;
const countIn = async (sql: Sql, { vendorId }: Subscriber, state: string): Promise<number> =>
  (await sql`select from webhook_deliveries where vendor_id = ${vendorId} and state = ${state}`)
    .length;

test('a hanging receiver does not let another worker take over its batch', async ({ sql }) => {
  const slow = await newSubscriber(sql);
  const { held, answerTo, giveAll } = holdingFor(slow);
  const leaseMs = 1500;
  const { lane, sent, released } = createTestLane(sql, { answerTo, leaseMs });
  const [id = ''] = await addDeliveries(sql, slow, 1);
  await lane.round();
  await vi.waitFor(() => expect(held).toHaveLength(1), waiting);
  const startedAt = performance.now();
  // A relay of another worker looks all the time, for several leases.
  while (performance.now() - startedAt < 3 * leaseMs) {
    expect(await dueBatches(sql)).toEqual([]);
    await delay(20);
  }
  expect(await attemptTexts(sql, id)).toEqual(['1 under way']);
  giveAll();
  await lane.stop();
  expect(released()).toBe(1);
  expect(sent).toHaveLength(1);
  expect(await attemptTexts(sql, id)).toEqual(['1 succeeded']);
});

test('keeps its batch after an outage', async ({ sql }) => {
  const slow = await newSubscriber(sql);
  const { held, answerTo, giveAll } = holdingFor(slow);
  const { lane } = createTestLane(sql, { answerTo, leaseMs: 1500 });
  await addDeliveries(sql, slow, 1);
  await lane.round();
  await vi.waitFor(() => expect(held).toHaveLength(1), waiting);
  // As in an outage: the relay cannot extend the lease.
  await sql.begin(async (outage) => {
    await outage`lock table outbox in share row exclusive mode`;
    await vi.waitFor(async () => {
      const [row] = await outage<[{ isOver: boolean }]>`
        select due_at < clock_timestamp() as is_over from outbox`;
      expect(row.isOver).toBe(true);
    }, waiting);
  });
  // Its first statement after the outage extends the lease again.
  await lane.renewLeases();
  expect(await dueBatches(sql)).toEqual([]);
  giveAll();
  await lane.stop();
});

test('stops after its requests', async ({ sql }) => {
  const slow = await newSubscriber(sql);
  const { held, answerTo, giveAll } = holdingFor(slow);
  const { lane, sent } = createTestLane(sql, { answerTo, hostConcurrencyMax: 3 });
  const ids = await addDeliveries(sql, slow, 10);
  await lane.round();
  await vi.waitFor(() => expect(held).toHaveLength(3), waiting);
  let isStopped = false;
  const stopping = (async () => {
    await lane.stop();
    isStopped = true;
  })();
  await delay(200);
  expect(isStopped).toBe(false);
  expect(await dueBatches(sql)).toEqual([]);
  giveAll();
  await stopping;
  expect(sent).toHaveLength(3);
  expect(await dueBatches(sql)).toMatchObject([{ payload: { size: 10 } }]);
  const attempts = (await Promise.all(ids.map((id) => attemptTexts(sql, id)))).flat();
  expect(attempts).toEqual(['1 succeeded', '1 succeeded', '1 succeeded']);
  for (const id of ids) expect(await standing(sql, id)).toMatchObject({ isUnderWay: false });
});

test('leaves what gets no slot to the run', async ({ sql }) => {
  const slow = await newSubscriber(sql);
  const { held, answerTo, giveAll } = holdingFor(slow);
  const { lane, sent } = createTestLane(sql, { answerTo, hostConcurrencyMax: 2 });
  const ids = await addDeliveries(sql, slow, 6);
  await lane.round();
  await vi.waitFor(() => expect(held).toHaveLength(2), waiting);
  await delay(2200);
  giveAll();
  await vi.waitFor(async () => expect(await countIn(sql, slow, 'succeeded')).toBe(2), waiting);
  await lane.stop();
  expect(sent).toHaveLength(2);
  const attempts = (await Promise.all(ids.map((id) => attemptTexts(sql, id)))).flat();
  expect(attempts).toEqual(['1 succeeded', '1 succeeded']);
  expect(await dueBatches(sql)).toMatchObject([{ payload: { size: 6 } }]);
});

test('delays no other vendor', async ({ sql }) => {
  const [slow, quick] = [await newSubscriber(sql), await newSubscriber(sql)];
  const { held, answerTo, giveAll } = holdingFor(slow);
  const { lane } = createTestLane(sql, { answerTo, hostConcurrencyMax: 4 });
  await addManyDeliveries(sql, slow, 2500);
  const ids = await addDeliveries(sql, quick, 5);
  await runUntil(lane, async () => (await countIn(sql, quick, 'succeeded')) === 5);
  // The answer to the hanging ones has not come.
  expect(held).toHaveLength(4);
  expect(await countIn(sql, slow, 'succeeded')).toBe(0);
  for (const id of ids) expect(await attemptTexts(sql, id)).toEqual(['1 succeeded']);
  giveAll();
  await lane.stop();
  const begun = await sql`select from webhook_deliveries where is_under_way`;
  expect(begun).toHaveLength(0);
});

test('holds at most a thousand of a vendor', async ({ sql }) => {
  const slow = await newSubscriber(sql);
  const { held, answerTo, giveAll } = holdingFor(slow);
  // A few attempts begin at a time: on a busy machine, a thousand take longer than two seconds.
  const slotWaitMs = 60_000;
  const { lane, sent } = createTestLane(sql, { answerTo, hostConcurrencyMax: 2000, slotWaitMs });
  await addManyDeliveries(sql, slow, 1500);
  await runUntil(lane, async () => (await unclaimed(sql)) === 0);
  await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(1000), {
    ...waiting,
    timeout: 50_000,
  });
  giveAll();
  await lane.stop();
  expect(sent).toHaveLength(1000);
  expect(await countIn(sql, slow, 'waiting')).toBe(1500 - sent.length);
  expect(await countIn(sql, slow, 'succeeded')).toBe(sent.length);
});
