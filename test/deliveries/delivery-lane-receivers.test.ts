import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { claim } from '../db/webhooks/delivery-rows.ts';
import {
  addDeliveries,
  addDelivery,
  addManyDeliveries,
  newSubscriber,
  standing,
} from '../db/webhooks/delivery-rows.ts';
import {
  answered,
  createTestLane,
  runUntil,
  type AnswerTo,
} from '../support/webhooks/test-lane.ts';
import { receiverOf } from '../../deliveries/host-slots.ts';
import { startPollLoop } from '../../relay/poll-loop.ts';
import { addSubscription } from '../db/support.ts';
import { laneTest, untilHolds } from '../relay/relay-fixture.ts';

/** Gives each test a subscriber whose responses are held until the test gives them. */
const test = laneTest.extend('slow', ({ subscriber }) => {
  const held: (() => void)[] = [];
  let isOpen = false;
  const answerTo: AnswerTo = ({ body }) =>
    isOpen || !body.includes(subscriber.vendorId)
      ? answered
      : new Promise((resolve) => {
          held.push(() => resolve(answered));
        });
  return {
    answerTo,
    untilHeld: (count: number) => untilHolds(() => expect(held).toHaveLength(count)),
    giveAll: (): void => {
      isOpen = true;
      for (const give of held.splice(0)) give();
    },
  };
});

test('keeps its lease while a receiver hangs', async ({ sql, subscriber, deliveries, slow }) => {
  // The lane extends it several times within its time, also after a pause of some seconds.
  const leaseMs = 10_000;
  const { lane, sent } = createTestLane(sql, { answerTo: slow.answerTo, leaseMs });
  const id = await addDelivery(sql, subscriber);
  await lane.round();
  await slow.untilHeld(1);
  const startedAt = performance.now();
  // Another worker looks all the time, for longer than a lease.
  while (performance.now() - startedAt < 1.5 * leaseMs) {
    expect(await claim(sql)).toEqual([]);
    await delay(20);
  }
  expect(await deliveries.texts([id])).toEqual(['1 under way']);
  slow.giveAll();
  await lane.stop();
  expect(sent).toHaveLength(1);
  expect(await deliveries.texts([id])).toEqual(['1 succeeded']);
});

test('keeps its lease after an outage', async ({ sql, subscriber, slow }) => {
  const { lane } = createTestLane(sql, { answerTo: slow.answerTo, leaseMs: 5000 });
  await addDeliveries(sql, subscriber, 1);
  await lane.round();
  await slow.untilHeld(1);
  // As in an outage: the lane cannot extend the lease.
  await sql.begin(async (outage) => {
    await outage`lock table delivery_queue in share row exclusive mode`;
    await untilHolds(async () => {
      const [row] = await outage<[{ isOver: boolean }]>`
        select leased_until < clock_timestamp() as is_over from delivery_queue`;
      expect(row.isOver).toBe(true);
    });
  });
  // Its first statement after the outage extends the lease again.
  await lane.round();
  expect(await claim(sql)).toEqual([]);
  slow.giveAll();
  await lane.stop();
});

test('stops after the requests under way', async ({ sql, subscriber, deliveries, slow }) => {
  const options = { answerTo: slow.answerTo, hostConcurrencyMax: 3 };
  const { lane, sent } = createTestLane(sql, options);
  const ids = await addDeliveries(sql, subscriber, 10);
  await lane.round();
  await slow.untilHeld(3);
  const onStopped = vi.fn();
  const stopping = lane.stop().then(onStopped);
  await delay(200);
  expect(onStopped).not.toHaveBeenCalled();
  slow.giveAll();
  await stopping;
  expect(sent).toHaveLength(3);
  expect(await deliveries.queued()).toEqual({ all: 7, free: 7 });
  expect(await deliveries.texts(ids)).toEqual(['1 succeeded', '1 succeeded', '1 succeeded']);
  for (const id of ids) expect(await standing(sql, id)).toMatchObject({ isUnderWay: false });
});

test('sends what waited for a slot once one is free', async ({
  sql,
  subscriber,
  deliveries,
  slow,
}) => {
  const { lane, sent } = createTestLane(sql, { answerTo: slow.answerTo, hostConcurrencyMax: 2 });
  await addDeliveries(sql, subscriber, 6);
  await lane.round();
  await slow.untilHeld(2);
  await lane.round();
  expect(await deliveries.queued()).toEqual({ all: 6, free: 4 });
  slow.giveAll();
  await runUntil(lane, async () => (await deliveries.countIn('succeeded')) === 6);
  await lane.stop();
  expect(sent).toHaveLength(6);
});

test('claims at once, without a look, what the host had no slot for', async ({
  sql,
  subscriber,
  deliveries,
}) => {
  // Each of the three subscriptions has free slots, but they are the same two.
  for (let more = 0; more < 2; more += 1) await addSubscription(sql, subscriber.vendorId);
  const { lane, sent } = createTestLane(sql, {
    hostConcurrencyMax: 2,
    onFree: () => rounds.wake(),
  });
  await addDeliveries(sql, subscriber, 1);
  const rounds = startPollLoop(lane.round);
  await untilHolds(async () => expect(await deliveries.countIn('succeeded')).toBe(3));
  await rounds.stop();
  await lane.stop();
  expect(sent).toHaveLength(3);
});

test('sends first attempts beside further attempts that always wait for slots', async ({
  sql,
  subscriber,
  deliveries,
}) => {
  const { lane, pipeline } = createTestLane(sql, {
    hostConcurrencyMax: 2,
    onFree: () => rounds.wake(),
  });
  const [{ url }] = await sql<[{ url: string }]>`
    select url from webhook_subscriptions where id = ${subscriber.subscriptionId}`;
  const receiver = receiverOf({ ...subscriber, url });
  let further = 0;
  const ending = new AbortController();
  const runs = Array.from({ length: 4 }, async () => {
    while (!ending.signal.aborted) {
      const options = { owner: subscriber.subscriptionId, signal: ending.signal };
      const release = await pipeline.slots.take(receiver, options);
      await delay(20);
      further += 1;
      release?.();
    }
  });
  await addDeliveries(sql, subscriber, 10);
  const rounds = startPollLoop(lane.round);
  await untilHolds(async () => expect(await deliveries.countIn('succeeded')).toBe(10));
  // The further attempts go on too.
  const known = further;
  await untilHolds(() => expect(further).toBeGreaterThan(known));
  ending.abort();
  await Promise.all(runs);
  await rounds.stop();
  await lane.stop();
});

test('delays no vendor beside a slow one', async ({ sql, subscriber, deliveries, slow }) => {
  const quick = await newSubscriber(sql);
  const { lane } = createTestLane(sql, { answerTo: slow.answerTo, hostConcurrencyMax: 4 });
  await addManyDeliveries(sql, subscriber, 2500);
  const ids = await addDeliveries(sql, quick, 5);
  await runUntil(lane, async () => (await deliveries.countIn('succeeded', quick.vendorId)) === 5);
  // The response to the hanging ones has not come.
  await slow.untilHeld(4);
  expect(await deliveries.countIn('succeeded')).toBe(5);
  expect(await deliveries.texts(ids)).toEqual(ids.map(() => '1 succeeded'));
  slow.giveAll();
  await lane.stop();
  expect(await deliveries.underWay()).toBe(0);
});

test('claims no delivery without a slot', async ({ sql, subscriber, deliveries, slow }) => {
  const { lane, sent } = createTestLane(sql, { answerTo: slow.answerTo, hostConcurrencyMax: 40 });
  await addManyDeliveries(sql, subscriber, 500);
  await runUntil(lane, () => Promise.resolve(sent.length === 40));
  for (let rounds = 0; rounds < 5; rounds += 1) await lane.round();
  expect(await deliveries.queued()).toEqual({ all: 500, free: 460 });
  slow.giveAll();
  await lane.stop();
  expect(await deliveries.countIn('waiting')).toBe(460);
});
