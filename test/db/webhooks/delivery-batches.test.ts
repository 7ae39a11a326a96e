import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import { claimOutboxMessages } from '../../../db/outbox/outbox.ts';
import {
  claimFirstAttempts,
  extendLeases,
  listBatchedDeliveries,
  listBatchMembers,
  readBatchState,
  releaseDeliveryBatch,
} from '../../../db/webhooks/delivery-batches.ts';
import * as rows from './delivery-rows.ts';
import { countOf, messagesTo } from '../support.ts';
import { raceRounds } from '../../support/race-rounds.ts';

// What a claim leaves of a delivery in each state has its rows in `delivery-table.test.ts`.

const test = rows.subscriberTest.extend('batchId', () => uuidv7());

const leaseMs = 10_000;

const claim = (sql: Sql, batchId: string, { claimedMax = 100, begunMax = 0 } = {}) =>
  claimFirstAttempts(sql, { batchId, claimedMax, begunMax, leaseMs });
const membersOf = async (sql: Sql, batchId: string): Promise<readonly string[]> => {
  const found = await sql<{ deliveryIds: string[] }[]>`
    select delivery_ids from webhook_delivery_batches where id = ${batchId} order by created_at`;
  return found.flatMap(({ deliveryIds }) => deliveryIds);
};
/** In how many milliseconds each message of the batch is due. */
const leasesOf = async (sql: Sql, batchId: string): Promise<readonly number[]> => {
  const found = await sql<{ leftMs: number }[]>`
    select extract(epoch from due_at - clock_timestamp())::float8 * 1000 as left_ms
    from outbox where kind = 'webhookDeliveryBatch' and subject_id = ${batchId}`;
  return found.map(({ leftMs }) => leftMs);
};
const dueBatches = (sql: Sql) => claimOutboxMessages(sql, 10, { lane: 'batches' });

test('claims and begins the oldest up to each limit', async ({ sql, subscriber, batchId }) => {
  const ids = (await rows.addDeliveries(sql, subscriber, 6)).slice(0, 5);
  const { messages, deliveries } = await claim(sql, batchId, { claimedMax: 5, begunMax: 2 });
  expect(messages).toBe(5);
  expect(await membersOf(sql, batchId)).toEqual(ids);
  expect(deliveries.map(({ deliveryId }) => deliveryId)).toEqual(ids);
  const numbers = deliveries.map(({ begun }) => begun?.attemptNumber ?? null);
  expect(numbers).toEqual([1, 1, null, null, null]);
  const url = 'https://vendor.example.org/hook';
  const first = { ...subscriber, url, deliveryId: ids[0] };
  const begun = {
    ...first,
    eventId: expect.stringMatching(/^evt_/),
    body: expect.stringContaining('"eventId"'),
    secretSealed: Buffer.from('sealed'),
    isActive: true,
    isTest: false,
  };
  expect(deliveries[0]).toMatchObject({ ...first, begun });
});

test('delays the run of its batch for its lease', async ({ sql, subscriber, batchId }) => {
  await rows.addDeliveries(sql, subscriber, 3);
  await claim(sql, batchId);
  expect(await messagesTo(sql, batchId)).toEqual([
    { kind: 'webhookDeliveryBatch', payload: { size: 3 } },
  ]);
  expect(await countOf(sql, 'outbox')).toBe(1);
  const [leftMs = 0] = await leasesOf(sql, batchId);
  expect(leftMs).toBeGreaterThan(leaseMs - 5000);
  expect(leftMs).toBeLessThanOrEqual(leaseMs);
  expect(await dueBatches(sql)).toEqual([]);
  await sql`update outbox set due_at = now() - interval '1 ms'`;
  expect(await dueBatches(sql)).toMatchObject([{ subjectId: batchId }]);
});

test('adds members to the open batch, and forms another after its run has started', async ({
  sql,
  subscriber,
  batchId,
}) => {
  const first = await rows.addDeliveries(sql, subscriber, 2);
  await claim(sql, batchId);
  await sql`update outbox set due_at = now() + interval '1 second'`;
  const second = await rows.addDeliveries(sql, subscriber, 3);
  await claim(sql, batchId);
  expect(await membersOf(sql, batchId)).toEqual([...first, ...second]);
  const [leftMs = 0, ...others] = await leasesOf(sql, batchId);
  expect(others).toEqual([]);
  expect(leftMs).toBeGreaterThan(leaseMs - 5000);

  await sql`delete from outbox`;
  const third = await rows.addDeliveries(sql, subscriber, 1);
  const { batchId: another } = await claim(sql, batchId);
  expect(another).not.toBe(batchId);
  expect(await membersOf(sql, batchId)).toEqual([...first, ...second]);
  expect(await membersOf(sql, another)).toEqual(third);
  expect(await leasesOf(sql, another)).toHaveLength(1);
});

test('begins one attempt for two messages of a delivery', async ({ sql, subscriber, batchId }) => {
  const id = await rows.addDelivery(sql, subscriber);
  await sql`
    insert into outbox (kind, subject_id, payload) select kind, subject_id, payload from outbox`;
  const { deliveries } = await claim(sql, batchId, { begunMax: 10 });
  expect(deliveries.map(({ deliveryId }) => deliveryId)).toEqual([id]);
  expect(await membersOf(sql, batchId)).toEqual([id]);
  expect(await rows.attemptTexts(sql, id)).toEqual(['1 under way']);
});

test('skips a locked delivery, and claims it later', async ({ sql, subscriber, batchId }) => {
  const [held = '', free = ''] = await rows.addDeliveries(sql, subscriber, 2);
  await sql.begin(async (holder) => {
    await holder`select from webhook_deliveries where id = ${held} for update`;
    const { deliveries } = await claim(sql, batchId, { begunMax: 10 });
    expect(deliveries.map(({ deliveryId }) => deliveryId)).toEqual([free]);
  });
  const [message] = await sql<{ subjectId: string; leftMs: number }[]>`
    select subject_id, extract(epoch from due_at - created_at)::float8 * 1000 as left_ms from outbox
    where kind = 'webhookDelivery'`;
  expect(message?.subjectId).toBe(held);
  expect(message?.leftMs).toBeGreaterThanOrEqual(200);
  await sql`update outbox set due_at = now() where kind = 'webhookDelivery'`;
  const { deliveries } = await claim(sql, batchId, { begunMax: 10 });
  expect(deliveries.map(({ deliveryId }) => deliveryId)).toEqual([held]);
  expect(await membersOf(sql, batchId)).toEqual([free, held]);
});

test('removes the message of a deleted delivery from the outbox', async ({ sql, batchId }) => {
  await sql`select write_messages('webhookDelivery', array[${uuidv7()}::uuid],
    array['{"signal":"start"}'::jsonb])`;
  expect(await claim(sql, batchId)).toMatchObject({ messages: 1, deliveries: [] });
  expect(await countOf(sql, 'outbox')).toBe(0);
});

test('claims no other messages, and none that is not due', async ({ sql, subscriber, batchId }) => {
  const id = await rows.addDelivery(sql, subscriber);
  await sql`update outbox set due_at = now() + interval '1 hour' where subject_id = ${id}`;
  for (const signal of ['retry', 'deactivated'])
    await sql`insert into outbox (kind, subject_id, payload)
      values ('webhookDelivery', ${id}, ${sql.json({ signal })})`;
  await sql`insert into outbox (kind, subject_id, payload) values ('offerReview', ${id}, '{}')`;
  expect((await claim(sql, batchId)).messages).toBe(0);
  expect(await countOf(sql, 'outbox')).toBe(4);
});

test('claims no message twice with concurrent relays', async ({ sql, subscriber }) => {
  for (let round = 0; round < raceRounds; round += 1) {
    await sql`truncate outbox, webhook_delivery_batches`;
    const ids = await rows.addDeliveries(sql, subscriber, 12);
    const batches = Array.from({ length: 4 }, () => uuidv7());
    const taken = await Promise.all(batches.map((id) => claim(sql, id, { claimedMax: 5 })));
    const members = (await Promise.all(batches.map((batchId) => membersOf(sql, batchId)))).flat();
    expect(new Set(members).size).toBe(members.length);
    expect(members.length).toBe(taken.reduce((sum, { messages }) => sum + messages, 0));
    const left = await sql`select from outbox where kind = 'webhookDelivery'`;
    expect(members.length + left.length).toBe(ids.length);
  }
});

test('lists the waiting members of a batch', async ({ sql, subscriber, batchId }) => {
  const ids = await rows.addDeliveries(sql, subscriber, 4);
  const stale = await rows.addSample(sql, subscriber);
  await claim(sql, batchId);
  const [done = '', ended = '', left = '', due = ''] = ids;
  await sql`update webhook_deliveries set state = 'succeeded' where id = ${done}`;
  await sql`update webhook_deliveries set state = 'cancelled' where id = ${ended}`;
  await sql`update webhook_deliveries set batch_id = null where id = ${left}`;
  await sql`update webhook_deliveries set created_at = now() - interval '91 s' where id = ${stale}`;
  const url = 'https://vendor.example.org/hook';
  expect(await listBatchedDeliveries(sql, batchId)).toEqual(
    [due, stale].map((deliveryId) => ({ deliveryId, ...subscriber, url })),
  );
  expect(await listBatchedDeliveries(sql, uuidv7())).toEqual([]);
  // A pass over the batch cannot make the sample: counted as left, it would keep the run busy.
  const progress = { succeeded: 1, moved: 1, ended: 2, left: 1 };
  expect(await readBatchState(sql, batchId)).toEqual(progress);
});

/** A batch of so many deliveries whose attempts have begun. */
async function held(sql: Sql, subscriber: rows.Subscriber, batchId: string, count: number) {
  await rows.addDeliveries(sql, subscriber, count);
  const { deliveries } = await claim(sql, batchId, { claimedMax: count, begunMax: count });
  return deliveries.flatMap(({ begun }) => (begun === null ? [] : [begun]));
}
const dueRuns = async (sql: Sql): Promise<readonly unknown[]> =>
  (await dueBatches(sql)).map(({ subjectId, payload }) => [subjectId, payload]);

test('counts only members without their own run', async ({ sql, subscriber, batchId }) => {
  const begun = await held(sql, subscriber, batchId, 4);
  const given = [{}, { ...rows.success, hasOwnRun: true }, rows.success];
  for (const [index, each] of given.entries())
    await rows.record(sql, begun.slice(index, index + 1), each);
  expect(await dueRuns(sql)).toEqual([]);
  await releaseDeliveryBatch(sql, batchId);
  expect(await dueRuns(sql)).toEqual([[batchId, { size: 2 }]]);
});

test('starts no run when all members have their own runs', async ({ sql, subscriber, batchId }) => {
  const begun = await held(sql, subscriber, batchId, 2);
  const events = begun.map(({ eventId }) => eventId);
  await rows.record(sql, begun);
  const other = uuidv7();
  await held(sql, subscriber, other, 1);
  await releaseDeliveryBatch(sql, batchId);
  expect(await messagesTo(sql, batchId)).toEqual([]);
  expect(await messagesTo(sql, other)).toHaveLength(1);
  expect(await listBatchMembers(sql, batchId)).toEqual([{ ...subscriber, eventIds: events }]);
});

test('changes nothing once the batch’s run has started', async ({ sql, subscriber, batchId }) => {
  await held(sql, subscriber, batchId, 2);
  await sql`delete from outbox`;
  await releaseDeliveryBatch(sql, batchId);
  await releaseDeliveryBatch(sql, uuidv7());
  expect(await countOf(sql, 'outbox')).toBe(0);
  expect(await countOf(sql, 'webhook_delivery_batches')).toBe(1);
});

test('extends the leases of the named batches only', async ({ sql, subscriber, batchId }) => {
  const other = uuidv7();
  await held(sql, subscriber, batchId, 1);
  await held(sql, subscriber, other, 1);
  await sql`update outbox set due_at = now()`;
  await extendLeases(sql, [batchId, uuidv7()], 60_000);
  expect(await dueRuns(sql)).toEqual([[other, { size: 1 }]]);
  await extendLeases(sql, [batchId], 0);
  expect(await dueRuns(sql)).toHaveLength(2);
});
