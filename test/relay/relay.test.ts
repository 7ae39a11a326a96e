import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { connect, type Sql } from '../../db/core/client.ts';
import type { RunMessage } from '../../domain/messages.ts';
import type { HandleMessage } from '../../relay/relay-messages.ts';
import { startRelay, type Relay } from '../../relay/relay.ts';
import {
  addDeliveries,
  addSample,
  attemptTexts,
  newSubscriber,
} from '../db/webhooks/delivery-rows.ts';
import { countOf, deferred } from '../db/support.ts';
import { freshDatabaseTest } from '../support/database/database-test.ts';
import { answered, createFakePipeline, refused } from '../support/webhooks/test-lane.ts';
import { untilHolds } from './relay-fixture.ts';

/** An error that the relay takes for an outage of Temporal. */
class Outage extends Error {}

const payload = { vendorId: uuidv7() };

/** Writes messages of one transaction; returns their subjects. */
async function put(sql: Sql, count: number): Promise<readonly string[]> {
  const subjects = Array.from({ length: count }, () => uuidv7());
  await sql`
    insert into outbox (kind, subject_id, payload)
    select 'offerReview', subject::uuid, ${sql.json(payload)}
    from unnest(${[...subjects]}::text[]) as subject`;
  return subjects;
}

const untilEmpty = (sql: Sql): Promise<unknown> =>
  untilHolds(async () => expect(await countOf(sql, 'outbox')).toBe(0));

/**
 * Gives each test an empty database and `relay`, which starts relays on it. They hand over twenty
 * low-priority messages a second. `temporal` has the subjects that Temporal has taken, and what
 * takes them.
 */
const test = freshDatabaseTest
  .extend('relay', ({ database, sql }, { onCleanup }) => {
    const relays: Relay[] = [];
    onCleanup(async () => {
      await Promise.all(relays.map((relay) => relay.stop()));
    });
    return (
      handleMessage: HandleMessage,
      { pipeline } = createFakePipeline(sql),
      hasJobs: () => boolean = () => false,
    ): Relay => {
      const started = startRelay({
        sql,
        databaseUrl: database.url,
        handleMessage,
        isOutage: (error) => error instanceof Outage,
        log: pino({ level: 'silent' }),
        lowPriorityPerSecond: 20,
        hasJobs,
        deliveries: { pipeline, retryDelayMs: 60_000, timeoutMs: 5000, runsPerSecond: 0 },
      });
      relays.push(started);
      return started;
    };
  })
  .extend('temporal', () => {
    const taken: string[] = [];
    const take: HandleMessage = async ({ subjectId }) => void taken.push(subjectId);
    return { taken, take };
  });

test('removes a message from the outbox only after it was handed over', async ({ sql, relay }) => {
  const held = deferred<void>();
  const seen: RunMessage[] = [];
  relay(async (message) => {
    seen.push(message);
    await held.promise;
  });
  const [subjectId] = await put(sql, 1);
  await untilHolds(() => expect(seen).toHaveLength(1));
  expect(await countOf(sql, 'outbox')).toBe(1);
  held.resolve();
  await untilEmpty(sql);
  expect(seen).toMatchObject([{ subjectId }]);
});

test('hands messages to one workflow over one after another', async ({ sql, relay }) => {
  const times = { inspectionStartMs: 1, inspectionWindowMs: 1 };
  const signals: string[] = [];
  let underWay = 0;
  relay(async (message) => {
    underWay += 1;
    if (message.kind === 'returnInspection') signals.push(message.payload.signal);
    await nextTurn();
    expect(underWay).toBe(1);
    underWay -= 1;
  });
  await sql`
    insert into outbox (kind, subject_id, payload)
    select 'returnInspection', ${uuidv7()}, ${sql.json({ ...payload, ...times })}
      || jsonb_build_object('signal', signal)
    from unnest(array['received', 'evidence', 'changed']) as signal`;
  await untilEmpty(sql);
  expect(signals).toEqual(['received', 'evidence', 'changed']);
});

test('keeps every message of an outage', async ({ sql, relay, temporal }) => {
  let isAway = true;
  const kept = new Set<string>();
  relay(async (message) => {
    if (!isAway) return temporal.take(message);
    kept.add(message.subjectId);
    throw new Outage('away');
  });
  const subjects = await put(sql, 20);
  await untilHolds(() => expect(kept.size).toBe(20));
  expect(await countOf(sql, 'outbox')).toBe(20);
  isAway = false;
  await untilEmpty(sql);
  expect(temporal.taken.toSorted()).toEqual(subjects.toSorted());
});

test('calls an unavailable Temporal rarely', async ({ sql, relay }) => {
  const calledAt: number[] = [];
  relay(async () => {
    calledAt.push(performance.now());
    throw new Outage('away');
  });
  await untilHolds(async () => {
    await put(sql, 1);
    await sql`select pg_notify('outbox', '')`;
    const pauses = calledAt.filter((at, index) => at - (calledAt[index - 1] ?? at) > 800);
    expect(pauses.length).toBeGreaterThanOrEqual(2);
  });
});

test('delays no other message when one is refused', async ({ sql, relay, temporal }) => {
  const [subjectId = '', ...others] = await put(sql, 5);
  relay(async (message) => {
    if (message.subjectId === subjectId) throw new Error('refused');
    await temporal.take(message);
  });
  await untilHolds(async () => {
    expect(temporal.taken.toSorted()).toEqual(others.toSorted());
    const rows = await sql`select subject_id from outbox where attempts > 0`;
    expect(rows).toEqual([{ subjectId }]);
    expect(await countOf(sql, 'outbox')).toBe(1);
  });
});

test('hands each message over once with two relays', async ({ sql, relay, temporal }) => {
  relay(temporal.take);
  relay(temporal.take);
  const subjects = (await Promise.all(Array.from({ length: 10 }, () => put(sql, 50)))).flat();
  await untilEmpty(sql);
  expect(temporal.taken.toSorted()).toEqual(subjects.toSorted());
});

test('continues after a lost connection to Postgres', async ({ database, relay, temporal }) => {
  relay(temporal.take);
  for (let round = 1; round <= 5; round += 1) {
    const admin = connect(database.url, { max: 1, name: 'killer' });
    await admin`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await admin`
      insert into outbox (kind, subject_id, payload)
      values ('offerReview', ${uuidv7()}, ${admin.json(payload)})`;
    await untilHolds(async () => expect(await countOf(admin, 'outbox')).toBe(0));
    await admin.end();
    // The relay repeats the hand-over of a message whose transaction was lost.
    expect(new Set(temporal.taken).size).toBe(round);
  }
});

test('makes first attempts without Temporal', async ({ sql, relay }) => {
  let isAway = true;
  let calls = 0;
  const taken: RunMessage[] = [];
  const fake = createFakePipeline(sql, {
    answerTo: ({ headers }) => (headers['webhook-id'] === failing ? refused : answered),
  });
  const subscriber = await newSubscriber(sql);
  const sampleId = await addSample(sql, subscriber);
  const [failedId = '', ...rest] = await addDeliveries(sql, subscriber, 9);
  const others = [...rest, sampleId];
  const [{ eventId: failing }] = await sql<[{ eventId: string }]>`
    select event_id from webhook_deliveries where id = ${failedId}`;
  const { stop } = relay(async (message) => {
    calls += 1;
    if (isAway) throw new Outage('away');
    taken.push(message);
  }, fake);
  await untilHolds(async () => {
    for (const id of others) expect(await attemptTexts(sql, id)).toEqual(['1 succeeded']);
    expect(await attemptTexts(sql, failedId)).toEqual(['1 http_status 500']);
    // The failed one's retry was handed over in vain.
    expect(calls).toBeGreaterThan(0);
  });
  expect(taken).toEqual([]);
  isAway = false;
  await untilHolds(() => {
    expect(taken).toMatchObject([{ kind: 'webhookDelivery', subjectId: failedId }]);
  });
  await stop();
  expect(fake.sent).toHaveLength(10);
  expect(await countOf(sql, 'outbox')).toBe(0);
});

test('sends a new delivery at its notification, not at the next poll', async ({ sql, relay }) => {
  const subscriber = await newSubscriber(sql);
  const sentAt: number[] = [];
  const fake = createFakePipeline(sql, {
    answerTo: () => {
      sentAt.push(performance.now());
      return answered;
    },
  });
  relay(() => Promise.resolve(), fake);
  const waits: number[] = [];
  for (let count = 1; count <= 10; count += 1) {
    await addDeliveries(sql, subscriber, 1);
    const writtenAt = performance.now();
    await vi.waitFor(() => expect(sentAt).toHaveLength(count), { timeout: 20_000, interval: 5 });
    waits.push((sentAt.at(-1) ?? Infinity) - writtenAt);
  }
  // At polls alone, half of them would wait for more than half a second.
  expect(waits.toSorted((one, other) => one - other)[5]).toBeLessThan(400);
});

async function putLowPriority(sql: Sql, count: number): Promise<readonly string[]> {
  const subjects = await put(sql, count);
  await sql`update outbox set is_low_priority = true where subject_id = any(${[...subjects]})`;
  return subjects;
}

test('hands over few messages of low priority at a time', async ({ sql, relay, temporal }) => {
  const low = new Set(await putLowPriority(sql, 60));
  const normal = new Set(await put(sql, 150));
  const startedAt = performance.now();
  relay(temporal.take);
  await untilEmpty(sql);
  // Three portions of at most twenty, at least a second apart.
  expect(performance.now() - startedAt).toBeGreaterThan(1900);
  const { taken } = temporal;
  expect(taken).toHaveLength(210);
  const lastNormal = taken.findLastIndex((id) => normal.has(id));
  const before = taken.slice(0, lastNormal).filter((id) => low.has(id));
  expect(before.length).toBeLessThanOrEqual(20);
});

test('hands over messages of low priority one after another', async ({ sql, relay }) => {
  await putLowPriority(sql, 10);
  let inProgress = 0;
  let most = 0;
  relay(async () => {
    inProgress += 1;
    most = Math.max(most, inProgress);
    await nextTurn();
    inProgress -= 1;
  });
  await untilEmpty(sql);
  expect(most).toBe(1);
});

test('hands over low priority more slowly beside a bulk job', async ({ sql, relay, temporal }) => {
  await putLowPriority(sql, 10);
  const startedAt = performance.now();
  relay(temporal.take, createFakePipeline(sql), () => true);
  await untilEmpty(sql);
  // Nine waits of 200 ms: with a slow machine more, never less.
  expect(performance.now() - startedAt).toBeGreaterThan(1750);
});
