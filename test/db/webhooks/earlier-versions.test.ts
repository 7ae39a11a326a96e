import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import { adoptDeliveries } from '../../../db/webhooks/delivery-batches.ts';
import { countOf, messagesTo } from '../support.ts';
import * as rows from './delivery-rows.ts';

// What processes of the version before the delivery queue do beside this one, and leave behind.

const test = rows.subscriberTest;

/** Claims as a relay of the earlier version: begins attempts in a delivery batch. */
const claimAsEarlier = (sql: Sql, batchId: string) => sql<
  { deliveryId: string; attemptNumber: number }[]
>`
  select delivery_id, attempt_number from claim_first_attempts(${batchId}, 10, 10, 60000)
  where id is not null`;
const batchOf = async (sql: Sql, id: string) => {
  const [row] = await sql<{ batchId: string | null }[]>`
    select batch_id from webhook_deliveries where id = ${id}`;
  return row?.batchId;
};
/** Lets the lease of the batch's message run out. */
const endLease = (sql: Sql) => sql`update outbox set due_at = now() where lane = 'batches'`;

test('gives what is in the queue to an earlier worker, once', async ({ sql, subscriber }) => {
  const [one = '', two = ''] = await rows.addDeliveries(sql, subscriber, 2);
  const batchId = uuidv7();
  const claimed = await claimAsEarlier(sql, batchId);
  expect(claimed.map(({ deliveryId }) => deliveryId)).toEqual([one, two]);
  expect(await rows.claim(sql)).toEqual([]);
  const [first, second] = claimed;
  if (first === undefined || second === undefined) throw new Error('none');
  await rows.recordAll(sql, [rows.resultOf(first, rows.success), rows.resultOf(second)]);
  expect(await rows.attemptTexts(sql, one)).toEqual(['1 succeeded']);
  expect(await rows.attemptTexts(sql, two)).toEqual(['1 http_status 500']);
  expect(await messagesTo(sql, one)).toEqual([]);
  expect(await messagesTo(sql, two)).toMatchObject([
    { payload: { signal: 'retry', tries: 1, details: { batchId } } },
  ]);
});

test('gives an attempt that was lost here to an earlier worker', async ({ sql, subscriber }) => {
  const id = await rows.addDelivery(sql, subscriber);
  await rows.claim(sql, { leaseMs: 0 });
  expect(await claimAsEarlier(sql, uuidv7())).toMatchObject([{ deliveryId: id, attemptNumber: 2 }]);
  expect(await rows.attemptTexts(sql, id)).toEqual(['1 worker_lost', '2 under way']);
});

test('leaves a batch to the earlier worker that has its lease', async ({ sql, subscriber }) => {
  const id = await rows.addDelivery(sql, subscriber);
  const batchId = uuidv7();
  await claimAsEarlier(sql, batchId);
  await adoptDeliveries(sql);
  expect(await batchOf(sql, id)).toBe(batchId);
  expect(await countOf(sql, 'delivery_queue')).toBe(0);
});

test('takes over a batch whose lease has run out, each delivery once', async ({
  sql,
  subscriber,
}) => {
  const ids = await rows.addDeliveries(sql, subscriber, 3);
  const [ended = '', begun = '', waiting = ''] = ids;
  const batchId = uuidv7();
  const claimed = await claimAsEarlier(sql, batchId);
  await rows.recordAll(sql, [rows.resultOf(claimed[0] ?? expect.unreachable(), rows.success)]);
  await sql`delete from webhook_attempts where delivery_id = ${waiting}`;
  await sql`
    update webhook_deliveries set attempts = 0, is_under_way = false where id = ${waiting}`;
  await endLease(sql);
  await Promise.all([adoptDeliveries(sql), adoptDeliveries(sql)]);
  const again = await rows.claim(sql);
  expect(again.map(({ deliveryId, attemptNumber }) => [deliveryId, attemptNumber])).toEqual([
    [begun, 2],
    [waiting, 1],
  ]);
  // The earlier worker is not dead after all. Its result comes late and does not count.
  expect(
    await rows.recordAll(sql, [rows.resultOf(claimed[1] ?? expect.unreachable(), rows.success)]),
  ).toEqual([]);
  await rows.record(sql, again, rows.success);
  expect(await rows.attemptTexts(sql, begun)).toEqual(['1 worker_lost', '2 succeeded']);
  expect(await rows.attemptTexts(sql, waiting)).toEqual(['1 succeeded']);
  expect(await rows.attemptTexts(sql, ended)).toEqual(['1 succeeded']);
  expect(await countOf(sql, 'outbox')).toBe(0);
});

test('lets the run of an earlier reconciliation make what nobody has claimed', async ({
  sql,
  subscriber,
}) => {
  const id = await rows.addDelivery(sql, subscriber);
  expect(await rows.beginByRun(sql, id)).toMatchObject([{ deliveryId: id, attemptNumber: 1 }]);
  expect(await rows.claim(sql)).toEqual([]);
});
