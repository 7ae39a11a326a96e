import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import { adoptDeliveries } from '../../../db/webhooks/delivery-batches.ts';
import { seedOldBatch } from '../../support/webhooks/old-deliveries.ts';
import { countOf, messagesTo } from '../support.ts';
import * as rows from './delivery-rows.ts';

// What processes of the version before the delivery queue leave behind.

const test = rows.subscriberTest;

/** Makes deliveries members of a batch and begins their attempts, as a relay of then did. */
async function claimAsEarlier(sql: Sql, ids: readonly string[], batchId: string): Promise<void> {
  await Promise.all(ids.map((id) => rows.beginByRun(sql, id)));
  await seedOldBatch(sql, { id: batchId, deliveryIds: ids, at: new Date() });
  await sql`
    update webhook_deliveries set batch_id = ${batchId}, next_attempt_at = null
    where id = any(${[...ids]}::uuid[])`;
  await sql`
    select write_messages('webhookDeliveryBatch', array[${batchId}]::uuid[], array['{}'::jsonb],
      false, 60000)`;
}
const batchOf = async (sql: Sql, id: string) => {
  const [row] = await sql<{ batchId: string | null }[]>`
    select batch_id from webhook_deliveries where id = ${id}`;
  return row?.batchId;
};
/** Lets the lease of the batch's message run out. */
const endLease = (sql: Sql) => sql`update outbox set due_at = now() where lane = 'batches'`;

test('records what the attempts of a batch bring', async ({ sql, subscriber }) => {
  const [one = '', two = ''] = await rows.addDeliveries(sql, subscriber, 2);
  const batchId = uuidv7();
  await claimAsEarlier(sql, [one, two], batchId);
  expect(await rows.claim(sql)).toEqual([]);
  await rows.recordAll(sql, [
    rows.resultOf({ deliveryId: one, attemptNumber: 1 }, rows.success),
    rows.resultOf({ deliveryId: two, attemptNumber: 1 }),
  ]);
  expect(await rows.attemptTexts(sql, one)).toEqual(['1 succeeded']);
  expect(await rows.attemptTexts(sql, two)).toEqual(['1 http_status 500']);
  expect(await messagesTo(sql, one)).toEqual([]);
  expect(await messagesTo(sql, two)).toMatchObject([
    { payload: { signal: 'retry', tries: 1, details: { batchId } } },
  ]);
});

test('leaves a batch to the earlier worker that has its lease', async ({ sql, subscriber }) => {
  const id = await rows.addDelivery(sql, subscriber);
  const batchId = uuidv7();
  await claimAsEarlier(sql, [id], batchId);
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
  await claimAsEarlier(sql, ids, batchId);
  await rows.recordAll(sql, [rows.resultOf({ deliveryId: ended, attemptNumber: 1 }, rows.success)]);
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
    await rows.recordAll(sql, [
      rows.resultOf({ deliveryId: begun, attemptNumber: 1 }, rows.success),
    ]),
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
