import { once } from 'node:events';
import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { connect, type Sql } from '../../db/core/client.ts';
import type { OutboxMessage } from '../../domain/messages.ts';
import type { HandleMessage } from '../../relay/relay-batch.ts';
import { addDeliveries, newSubscriber, attemptTexts } from '../db/webhooks/delivery-rows.ts';
import { answered, createFakePipeline, refused } from '../support/webhooks/test-lane.ts';
import { Outage, payload, put, relayTest as test, untilEmpty, waiting } from './relay-fixture.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';

test('a message leaves the outbox only after it was handed over', async ({ sql, relay }) => {
  const holder = new AbortController();
  const held = once(holder.signal, 'abort');
  const seen: OutboxMessage[] = [];
  relay(async (message) => {
    seen.push(message);
    await held;
  });
  const [subject] = await put(sql, 1);

  await vi.waitFor(() => expect(seen).toHaveLength(1), { timeout: 20_000 });
  expect(await waiting(sql)).toBe(1);
  holder.abort();
  await untilEmpty(sql);
  expect(seen.map(({ subjectId }) => subjectId)).toEqual([subject]);
});

test('keeps every message of an outage', async ({ sql, relay }) => {
  let isAway = true;
  const refused = new Set<string>();
  const taken: string[] = [];
  relay(async ({ subjectId }) => {
    if (isAway) {
      refused.add(subjectId);
      throw new Outage('away');
    }
    taken.push(subjectId);
  });
  const subjects = await put(sql, 20);
  await vi.waitFor(() => expect(refused.size).toBe(20), { timeout: 20_000 });
  expect(await waiting(sql)).toBe(20);

  isAway = false;
  await untilEmpty(sql);
  expect(taken.toSorted()).toEqual(subjects.toSorted());
});

test('calls an absent Temporal seldom', async ({ sql, relay }) => {
  const calledAt: number[] = [];
  relay(async () => {
    calledAt.push(performance.now());
    throw new Outage('away');
  });
  await vi.waitFor(
    async () => {
      await put(sql, 1);
      await sql`select pg_notify('outbox', '')`;
      expect((calledAt.at(-1) ?? 0) - (calledAt[0] ?? Infinity)).toBeGreaterThan(2500);
    },
    { timeout: 20_000, interval: 10 },
  );
  const pauses = calledAt.filter((at, index) => at - (calledAt[index - 1] ?? at) > 800);
  expect(pauses.length).toBeGreaterThanOrEqual(2);
});

test('a message that is refused does not hold up the others', async ({ sql, relay }) => {
  const taken: string[] = [];
  const subjects = await put(sql, 5);
  relay(async ({ subjectId }) => {
    if (subjectId === subjects[0]) throw new Error('refused');
    taken.push(subjectId);
  });
  await vi.waitFor(() => expect(taken.toSorted()).toEqual(subjects.slice(1).toSorted()), {
    timeout: 20_000,
  });
  await vi.waitFor(async () => {
    const rows = await sql<
      { subjectId: string; attempts: number }[]
    >`select subject_id, attempts from outbox`;
    expect(rows.map(({ subjectId }) => subjectId)).toEqual([subjects[0]]);
    expect(rows[0]?.attempts).toBeGreaterThanOrEqual(1);
  });
});

test('two relays share the work and hand each message over once', async ({ sql, relay }) => {
  const taken: string[] = [];
  const take: HandleMessage = async ({ subjectId }) => {
    taken.push(subjectId);
  };
  relay(take);
  relay(take);
  const subjects = (await Promise.all(Array.from({ length: 10 }, () => put(sql, 50)))).flat();
  await untilEmpty(sql);
  expect(taken.toSorted()).toEqual(subjects.toSorted());
});

test('a lost connection to Postgres does not end the relay', async ({ database, relay }) => {
  const taken: string[] = [];
  relay(async ({ subjectId }) => {
    taken.push(subjectId);
  });
  for (let round = 1; round <= 5; round += 1) {
    const admin = connect(database.url, { max: 1, name: 'killer' });
    await admin`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await admin`insert into outbox (kind, subject_id, payload)
      values ('offerReview', ${uuidv7()}, ${admin.json(payload)})`;
    await admin.end();
    await vi.waitFor(() => expect(taken).toHaveLength(round), { timeout: 20_000 });
  }
});

test('makes first attempts without Temporal', async ({ sql, relay }) => {
  let isAway = true;
  const taken: OutboxMessage[] = [];
  let calls = 0;
  const fake = createFakePipeline(sql, {
    answerTo: ({ headers }) => (headers['webhook-id'] === failing ? refused : answered),
  });
  const subscriber = await newSubscriber(sql);
  const [failedId = '', ...others] = await addDeliveries(sql, subscriber, 10);
  const [{ eventId: failing }] = await sql<[{ eventId: string }]>`
    select event_id from webhook_deliveries where id = ${failedId}`;
  const { stop } = relay(async (message) => {
    calls += 1;
    if (isAway) throw new Outage('away');
    taken.push(message);
  }, fake);
  await vi.waitFor(
    async () => {
      for (const id of others) expect(await attemptTexts(sql, id)).toEqual(['1 succeeded']);
      expect(await attemptTexts(sql, failedId)).toEqual(['1 http_status 500']);
      // The failed one's retry was handed over in vain.
      expect(calls).toBeGreaterThan(0);
    },
    { timeout: 20_000 },
  );
  expect(taken).toEqual([]);
  isAway = false;
  await vi.waitFor(() => expect(taken).toMatchObject([{ subjectId: failedId }]), {
    timeout: 20_000,
  });
  await vi.waitFor(
    () =>
      expect(taken.slice(1)).toMatchObject([
        { kind: 'webhookDeliveryBatch', payload: { size: 9 } },
      ]),
    { timeout: 20_000 },
  );
  await stop();
  expect(fake.sent).toHaveLength(10);
  expect(await waiting(sql)).toBe(0);
});

test('hands over batches without a pause', async ({ sql, relay }) => {
  await sql`
    insert into outbox (kind, subject_id, payload)
    select 'webhookDeliveryBatch', gen_random_uuid(), '{"size":2}' from generate_series(1, 100)`;
  const startedAt = performance.now();
  let taken = 0;
  relay(async () => {
    taken += 1;
  });
  await untilEmpty(sql);
  expect(taken).toBe(100);
  expect(performance.now() - startedAt).toBeLessThan(4000);
});

test('a new delivery is sent at its notification, not at the next poll', async ({ sql, relay }) => {
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

/** How fast the relay hands over low-priority messages. */

async function putInNoHurry(sql: Sql, count: number): Promise<readonly string[]> {
  const subjects = await put(sql, count);
  await sql`update outbox set is_low_priority = true where subject_id = any(${[...subjects]})`;
  return subjects;
}

test('hands over a few at a time', async ({ sql, relay }) => {
  const unhurried = new Set(await putInNoHurry(sql, 60));
  const hurried = new Set(await put(sql, 150));
  const sent: string[] = [];
  const startedAt = performance.now();
  relay(async ({ subjectId }) => {
    sent.push(subjectId);
  });
  await untilEmpty(sql);
  // Three helpings of at most twenty, a second apart: with a slow machine more apart, never closer.
  expect(performance.now() - startedAt).toBeGreaterThan(1900);
  expect(sent).toHaveLength(210);
  const lastHurried = sent.findLastIndex((id) => hurried.has(id));
  expect(sent.slice(0, lastHurried).filter((id) => unhurried.has(id)).length).toBeLessThanOrEqual(
    20,
  );
});

test('hands over one after another', async ({ sql, relay }) => {
  await putInNoHurry(sql, 10);
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

test('slows down beside a bulk job', async ({ sql, relay }) => {
  await putInNoHurry(sql, 10);
  const startedAt = performance.now();
  relay(
    () => Promise.resolve(),
    createFakePipeline(sql),
    () => true,
  );
  await untilEmpty(sql);

  // Nine waits of 200 ms: with a slow machine more, never less.
  expect(performance.now() - startedAt).toBeGreaterThan(1750);
});
