import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { Sql } from '../../db/core/client.ts';
import { claimOutboxMessages } from '../../db/outbox/outbox.ts';
import { answered, createTestLane, refused, runUntil } from '../support/webhooks/test-lane.ts';
import {
  addDeliveries,
  addManyDeliveries,
  addSample,
  newSubscriber,
  standing,
  attemptTexts,
} from '../db/webhooks/delivery-rows.ts';
import { messagesTo } from '../db/support.ts';
import { freshDatabaseTest } from '../support/database/database-test.ts';

const test = freshDatabaseTest.extend('subscriber', ({ sql }) => newSubscriber(sql));

const waiting = { timeout: 20_000, interval: 10 };

const inState = async (sql: Sql, state: string): Promise<number> => {
  const rows = await sql`select from webhook_deliveries where state = ${state}`;
  return rows.length;
};
const untilSucceeded = (sql: Sql, count: number): Promise<void> =>
  vi.waitFor(async () => expect(await inState(sql, 'succeeded')).toBe(count), waiting);
const eventIds = async (sql: Sql): Promise<readonly string[]> => {
  const rows = await sql<{ eventId: string }[]>`select event_id from webhook_deliveries`;
  return rows.map(({ eventId }) => eventId).toSorted();
};
const sizesOf = async (sql: Sql): Promise<readonly number[]> => {
  const rows = await sql<{ size: number }[]>`
    select sum(cardinality(delivery_ids))::int as size from webhook_delivery_batches
    group by id order by size`;
  return rows.map(({ size }) => size);
};
const dueBatches = (sql: Sql) => claimOutboxMessages(sql, 10, { lane: 'batches' });
const signals = async (sql: Sql, signal: string): Promise<number> => {
  const rows = await sql`select from outbox where payload ->> 'signal' = ${signal}`;
  return rows.length;
};

/** How many transactions have stored the results. */
const recordings = async (sql: Sql): Promise<number> => {
  const rows = await sql`
    select distinct xmin::text from webhook_attempts where succeeded is not null`;
  return rows.length;
};

test('stores successes together (D119)', async ({ sql, subscriber }) => {
  const { lane } = createTestLane(sql);
  await addDeliveries(sql, subscriber, 5);
  await lane.round();
  await untilSucceeded(sql, 5);
  expect(await recordings(sql)).toBe(1);
  await lane.stop();
});

test('stores a failure at once (D119)', async ({ sql, subscriber }) => {
  let sends = 0;
  const { lane } = createTestLane(sql, {
    answerTo: () => ((sends += 1) === 5 ? refused : answered),
  });
  await addDeliveries(sql, subscriber, 5);
  await lane.round();
  await untilSucceeded(sql, 4);
  expect(await signals(sql, 'retry')).toBe(1);
  expect(await recordings(sql)).toBe(1);
  await lane.stop();
});

test('a burst is sent at once, each once, and one batch shows it', async ({ sql, subscriber }) => {
  const { lane, sent } = createTestLane(sql);
  await addDeliveries(sql, subscriber, 40);
  await lane.round();
  await untilSucceeded(sql, 40);
  expect(sent.toSorted()).toEqual(await eventIds(sql));
  await lane.stop();
  expect(await sizesOf(sql)).toEqual([40]);
  expect(await dueBatches(sql)).toMatchObject([{ payload: { size: 40 } }]);
});

test('releases a batch after seconds', async ({ sql, subscriber }) => {
  const { lane, released } = createTestLane(sql);
  const startedAt = performance.now();
  await addDeliveries(sql, subscriber, 3);
  await lane.round();
  await addDeliveries(sql, subscriber, 2);
  await lane.round();
  expect(await sizesOf(sql)).toEqual([5]);
  expect(released()).toBe(0);
  await runUntil(lane, () => Promise.resolve(released() > 0));
  expect(performance.now() - startedAt).toBeGreaterThan(4900);
  expect(await dueBatches(sql)).toMatchObject([{ payload: { size: 5 } }]);
  await addDeliveries(sql, subscriber, 1);
  await lane.round();
  expect(await sizesOf(sql)).toEqual([1, 5]);
  await lane.stop();
});

test('fills batches without a wait', async ({ sql, subscriber }) => {
  const { lane, sent } = createTestLane(sql);
  await addManyDeliveries(sql, subscriber, 501);
  expect(await lane.round()).toEqual({ ms: 0 });
  await runUntil(lane, async () => (await inState(sql, 'succeeded')) === 501);
  expect(sent.toSorted()).toEqual(await eventIds(sql));
  await lane.stop();
  expect(await sizesOf(sql)).toEqual([1, 500]);
});

test('begins at most 100 attempts at once', async ({ sql, subscriber }) => {
  let storeResults: (() => void) | undefined;
  const mayRecord = new Promise<void>((resolve) => (storeResults = resolve));
  const { lane, sent } = createTestLane(sql, { mayRecord, hostConcurrencyMax: 1000 });
  await addManyDeliveries(sql, subscriber, 600);
  await lane.round();
  await lane.round();
  await vi.waitFor(() => expect(sent).toHaveLength(100), waiting);
  const begun = await sql`select from webhook_deliveries where is_under_way`;
  expect(begun).toHaveLength(100);
  storeResults?.();
  await runUntil(lane, async () => (await inState(sql, 'succeeded')) === 600);
  await lane.stop();
  expect(sent.toSorted()).toEqual(await eventIds(sql));
});

test('moves failures to runs of their own', async ({ sql, subscriber }) => {
  const { lane } = createTestLane(sql, { answerTo: () => refused });
  const ids = await addDeliveries(sql, subscriber, 12);
  await lane.round();
  await vi.waitFor(async () => expect(await signals(sql, 'retry')).toBe(12), waiting);
  await lane.stop();
  for (const id of ids) {
    expect(await standing(sql, id)).toMatchObject({ state: 'waiting', batchId: null });
    expect(await messagesTo(sql, id)).toMatchObject([
      { payload: { signal: 'retry', attempts: 1, tries: 1 } },
    ]);
  }
  expect(await dueBatches(sql)).toEqual([]);
  expect(await sql`select from outbox where kind = 'webhookDeliveryBatch'`).toHaveLength(0);
});

test('gives so many a second their own runs', async ({ sql, subscriber }) => {
  const { lane } = createTestLane(sql, { runsPerSecond: 5 });
  const startedAt = performance.now();
  await addDeliveries(sql, subscriber, 60);
  await lane.round();
  await untilSucceeded(sql, 60);
  const own = await signals(sql, 'ended');
  expect(own).toBeGreaterThanOrEqual(5);
  expect(own).toBeLessThanOrEqual(5 + (5 * (performance.now() - startedAt)) / 1000);
  await lane.stop();
  expect(await dueBatches(sql)).toMatchObject([{ payload: { size: 60 - own } }]);
});

test.for([
  [1, 4],
  [0, 0],
])(
  'with %i runs a second, %i of four samples get runs of their own',
  async ([runsPerSecond = 0, own], { sql, subscriber }) => {
    const { lane } = createTestLane(sql, { runsPerSecond });
    for (let count = 0; count < 4; count += 1) await addSample(sql, subscriber);
    await lane.round();
    await untilSucceeded(sql, 4);
    expect(await signals(sql, 'ended')).toBe(own);
    await lane.stop();
  },
);

test('stores a result later', async ({ sql, subscriber }) => {
  const { lane, sent } = createTestLane(sql);
  await sql.unsafe(`
    create function refuse_result() returns trigger language plpgsql as $$
    begin raise exception 'no space' using errcode = '53100'; end $$;
    create trigger refuse_result before update on webhook_attempts
    for each row when (new.succeeded is not null) execute function refuse_result()`);
  const [id = ''] = await addDeliveries(sql, subscriber, 1);
  await lane.round();
  await vi.waitFor(() => expect(sent).toHaveLength(1), waiting);
  // Longer than the pause between two tries.
  await runUntil(lane, () => delay(700).then(() => true));
  expect(await attemptTexts(sql, id)).toEqual(['1 under way']);
  await sql`drop trigger refuse_result on webhook_attempts`;
  await untilSucceeded(sql, 1);
  await lane.stop();
  expect(sent).toHaveLength(1);
});

test('uses up no attempt by a fault', async ({ sql, subscriber }) => {
  const { lane } = createTestLane(sql, {
    answerTo: () => Promise.reject(Object.assign(new Error('sockets'), { code: 'EMFILE' })),
  });
  const [id = ''] = await addDeliveries(sql, subscriber, 1);
  await lane.round();
  await lane.stop();
  expect(await attemptTexts(sql, id)).toEqual([]);
  expect(await standing(sql, id)).toMatchObject({ state: 'waiting', isUnderWay: false });
  expect(await dueBatches(sql)).toMatchObject([{ payload: { size: 1 } }]);
});

test('sends each once beside another relay', async ({ sql, subscriber }) => {
  const lanes = [createTestLane(sql), createTestLane(sql)];
  let isOver = false;
  const feed = async (): Promise<void> => {
    for (let count = 1; count <= 40; count += 1)
      await sql.begin((transaction) => addDeliveries(transaction, subscriber, (count % 9) * 3));
    isOver = true;
  };
  const isDone = async (): Promise<boolean> => isOver && (await inState(sql, 'waiting')) === 0;
  await Promise.all([feed(), ...lanes.map(({ lane }) => runUntil(lane, isDone))]);
  expect(lanes.flatMap(({ sent }) => sent).toSorted()).toEqual(await eventIds(sql));
  for (const { sent } of lanes) expect(sent.length).toBeGreaterThan(0);
  await Promise.all(lanes.map(({ lane }) => lane.stop()));
  const sizes = await sizesOf(sql);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe((await eventIds(sql)).length);
});
