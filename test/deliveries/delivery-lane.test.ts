import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { whileFailing } from '../support/database/failing.ts';
import {
  addDeliveries,
  addDelivery,
  addManyDeliveries,
  addSample,
  claim,
  eventType,
  standing,
} from '../db/webhooks/delivery-rows.ts';
import { deferred } from '../db/support.ts';
import type { RunMessage } from '../../domain/messages.ts';
import { answered, createTestLane, refused, runUntil } from '../support/webhooks/test-lane.ts';
import { laneTest as test, untilHolds } from '../relay/relay-fixture.ts';

test.for([
  ['five successes', 0],
  ['four successes and a failure', 1],
] as const)(
  'stores %s in one transaction (D119)',
  async ([, failures], { sql, subscriber, deliveries }) => {
    let sends = 0;
    const answerTo = () => ((sends += 1) === 5 && failures > 0 ? refused : answered);
    const { lane } = createTestLane(sql, { answerTo });
    await addDeliveries(sql, subscriber, 5);
    await lane.round();
    await deliveries.untilSucceeded(5 - failures);
    expect(await deliveries.signals('retry')).toBe(failures);
    const transactions = await sql`
    select distinct xmin::text from webhook_attempts where succeeded is not null`;
    expect(transactions).toHaveLength(1);
    await lane.stop();
  },
);

test('sends each delivery of a burst once', async ({ sql, subscriber, deliveries }) => {
  const { lane, sent } = createTestLane(sql);
  await addManyDeliveries(sql, subscriber, 501);
  await runUntil(lane, async () => (await deliveries.countIn('succeeded')) === 501);
  expect(sent.toSorted()).toEqual(await deliveries.eventIds());
  await lane.stop();
  expect(await deliveries.queued()).toEqual({ all: 0, free: 0 });
});

test('begins at most 100 attempts at once', async ({ sql, subscriber, deliveries }) => {
  const stored = deferred<void>();
  const options = { mayRecord: stored.promise, hostConcurrencyMax: 1000 };
  const { lane, sent } = createTestLane(sql, options);
  await addManyDeliveries(sql, subscriber, 600);
  await lane.round();
  await lane.round();
  await untilHolds(() => expect(sent).toHaveLength(100));
  expect(await deliveries.queued()).toEqual({ all: 600, free: 500 });
  stored.resolve();
  await runUntil(lane, async () => (await deliveries.countIn('succeeded')) === 600);
  await lane.stop();
  expect(sent.toSorted()).toEqual(await deliveries.eventIds());
});

test('claims no more, and shows nothing, while the sender has not begun', async ({
  sql,
  subscriber,
  deliveries,
}) => {
  const [begun, responded] = [deferred<void>(), deferred<void>()];
  let questions = 0;
  const { lane } = createTestLane(sql, {
    answerTo: () => responded.promise.then(() => answered),
    untilBegun: () => {
      questions += 1;
      return begun.promise;
    },
    hostConcurrencyMax: 1000,
  });
  await addManyDeliveries(sql, subscriber, 150);
  await lane.round();
  // Each waits for its response for longer than it may have a permit.
  await untilHolds(() => expect(questions).toBe(100));
  await lane.round();
  expect(await deliveries.queued()).toEqual({ all: 150, free: 50 });
  expect(await deliveries.underWay()).toBe(0);
  begun.resolve();
  await runUntil(lane, async () => (await deliveries.underWay()) === 150);
  responded.resolve();
  await runUntil(lane, async () => (await deliveries.countIn('succeeded')) === 150);
  await lane.stop();
});

test('limits runs of single deliveries per second', async ({ sql, subscriber, deliveries }) => {
  const { lane, shown } = createTestLane(sql, { runsPerSecond: 5, hostConcurrencyMax: 100 });
  const startedAt = performance.now();
  await addDeliveries(sql, subscriber, 60);
  await lane.round();
  await deliveries.untilSucceeded(60);
  const endedAt = performance.now();
  await lane.stop();
  expect(shown.length).toBeGreaterThanOrEqual(5);
  expect(shown.length).toBeLessThanOrEqual(5 + (5 * (endedAt - startedAt)) / 1000);
});

test.for([
  [1, 4],
  [0, 0],
] as const)(
  'starts, with a limit of %i runs a second, own runs for %i of four samples',
  async ([runsPerSecond, own], { sql, subscriber, deliveries }) => {
    const { lane, shown } = createTestLane(sql, { runsPerSecond });
    for (let count = 0; count < 4; count += 1) await addSample(sql, subscriber);
    await lane.round();
    await deliveries.untilSucceeded(4);
    await lane.stop();
    expect(shown).toHaveLength(own);
  },
);

test.for([
  ['Temporal', 'itself', 0],
  ['the outbox, where Temporal does not take it,', 'as a message', 1],
] as const)(
  'hands the run of a success to %s %s',
  async ([, , written], { sql, subscriber, deliveries }) => {
    const taken: unknown[] = [];
    const handleMessage = (message: RunMessage) => {
      taken.push(message);
      return written === 0 ? Promise.resolve() : Promise.reject(new Error('no Temporal'));
    };
    const { lane } = createTestLane(sql, { runsPerSecond: 5, handleMessage });
    const id = await addDelivery(sql, subscriber);
    await lane.round();
    await deliveries.untilSucceeded(1);
    await lane.stop();
    const messages = await sql`select kind, subject_id, payload from outbox`;
    expect(messages).toEqual(written === 0 ? [] : taken);
    expect(taken).toMatchObject([
      {
        kind: 'webhookDelivery',
        subjectId: id,
        payload: {
          signal: 'ended',
          state: 'succeeded',
          vendorId: subscriber.vendorId,
          eventType,
          attempts: 1,
          details: { subscriptionId: subscriber.subscriptionId, httpStatus: 200 },
        },
      },
    ]);
  },
);

test('leaves the run of a success that follows a lost attempt to the outbox', async ({
  sql,
  subscriber,
  deliveries,
}) => {
  const { lane, shown } = createTestLane(sql, { runsPerSecond: 5 });
  await addDelivery(sql, subscriber);
  await claim(sql);
  await sql`update delivery_queue set leased_until = now() - interval '1 second'`;
  await lane.round();
  await deliveries.untilSucceeded(1);
  await lane.stop();
  expect(shown).toEqual([]);
  expect(await deliveries.signals('ended')).toBe(1);
});

test('stores later a result that Postgres refused', async ({ sql, subscriber, deliveries }) => {
  const { lane, sent } = createTestLane(sql);
  const untilRefused = async () => {
    const id = await addDelivery(sql, subscriber);
    await lane.round();
    await untilHolds(() => expect(sent).toHaveLength(1));
    // Longer than the pause between two tries.
    await runUntil(lane, () => delay(700).then(() => true));
    expect(await deliveries.texts([id])).toEqual([]);
  };
  await whileFailing(sql, 'insert on webhook_attempts', untilRefused, {
    when: 'new.succeeded is not null',
    code: '53100',
  });
  await deliveries.untilSucceeded(1);
  await lane.stop();
  expect(sent).toHaveLength(1);
});

test('uses up no attempt by a fault', async ({ sql, subscriber, deliveries }) => {
  const { lane } = createTestLane(sql, {
    answerTo: () => Promise.reject(Object.assign(new Error('sockets'), { code: 'EMFILE' })),
  });
  const id = await addDelivery(sql, subscriber);
  await lane.round();
  await lane.stop();
  expect(await deliveries.texts([id])).toEqual([]);
  expect(await standing(sql, id)).toMatchObject({ state: 'waiting', isUnderWay: false });
  expect(await deliveries.queued()).toEqual({ all: 1, free: 1 });
});

test('sends an attempt that was shown and given back unsent, as the same attempt', async ({
  sql,
  subscriber,
  deliveries,
}) => {
  const attempts = () => sql<{ number: number; succeeded: boolean | null }[]>`
    select attempt_number as number, succeeded from webhook_attempts`;
  let sends = 0;
  const { lane } = createTestLane(sql, {
    answerTo: async () => {
      sends += 1;
      if (sends > 1) return answered;
      // The attempt takes so long that lists show it.
      await untilHolds(async () => expect(await attempts()).toHaveLength(1));
      throw Object.assign(new Error('sockets'), { code: 'EMFILE' });
    },
  });
  const id = await addDelivery(sql, subscriber);
  await lane.round();
  await untilHolds(async () => expect(await deliveries.queued()).toEqual({ all: 1, free: 1 }));
  await sql`update delivery_queue set due_at = now()`;
  await runUntil(lane, async () => (await deliveries.countIn('succeeded')) === 1);
  await lane.stop();
  expect(sends).toBe(2);
  expect(await standing(sql, id)).toMatchObject({ state: 'succeeded', isUnderWay: false });
  expect(await attempts()).toEqual([{ number: 1, succeeded: true }]);
});

test('pauses where many subscriptions have nothing to claim', async ({ sql }) => {
  await sql`
    insert into delivery_queue (subscription_id, due_at, delivery_id, leased_until)
    select uuidv7(), now(), uuidv7(), now() + interval '1 hour' from generate_series(1, 250)`;
  const { lane } = createTestLane(sql);
  const pauses: number[] = [];
  for (let round = 0; round < 10; round += 1) pauses.push((await lane.round()).ms);
  expect(pauses.filter((ms) => ms > 0).length).toBeGreaterThanOrEqual(2);
  await lane.stop();
});

test('finds a delivery that is stored long after its transaction began', async ({
  sql,
  subscriber,
  deliveries,
}) => {
  const { lane } = createTestLane(sql);
  await addDelivery(sql, subscriber);
  await lane.round();
  await deliveries.untilSucceeded(1);
  expect(await lane.look()).toBe(false);
  await addDelivery(sql, subscriber);
  await sql`update delivery_queue set due_at = due_at - interval '1 minute'`;
  await lane.round();
  expect(await deliveries.queued()).toEqual({ all: 1, free: 1 });
  expect(await lane.look()).toBe(true);
  await lane.round();
  await deliveries.untilSucceeded(2);
  await lane.stop();
});

test('sends each delivery once beside another relay', async ({ sql, subscriber, deliveries }) => {
  const lanes = [createTestLane(sql), createTestLane(sql)];
  let isOver = false;
  const feed = async (): Promise<void> => {
    for (let count = 1; count <= 40; count += 1)
      await sql.begin((transaction) => addDeliveries(transaction, subscriber, (count % 9) * 3));
    isOver = true;
  };
  const isDone = async () => isOver && (await deliveries.countIn('waiting')) === 0;
  await Promise.all([feed(), ...lanes.map(({ lane }) => runUntil(lane, isDone))]);
  const eventIds = await deliveries.eventIds();
  expect(lanes.flatMap(({ sent }) => sent).toSorted()).toEqual(eventIds);
  for (const { sent } of lanes) expect(sent.length).toBeGreaterThan(0);
  await Promise.all(lanes.map(({ lane }) => lane.stop()));
});
