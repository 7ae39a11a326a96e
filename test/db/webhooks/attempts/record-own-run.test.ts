import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import {
  recordAttempts,
  type AttemptResult,
} from '../../../../db/webhooks/attempts/record-attempts.ts';
import { lockDelivery, redeliver } from '../../../../db/webhooks/redelivery.ts';
import type { Sql } from '../../../../db/core/client.ts';
import { createDeliveryBatch } from '../../../support/webhooks/delivery-batch.ts';
import { messagesTo } from '../../support.ts';
import * as rows from '../delivery-rows.ts';
import { databaseTest } from '../../../support/database/database-test.ts';

const test = databaseTest.extend('subscriber', ({ sql }) => rows.newSubscriber(sql));

test.beforeEach(async ({ sql }) => {
  await sql`truncate outbox, webhook_delivery_batches`;
});

/** A batch of one delivery whose attempt has begun; its message is gone. */
async function member(sql: Sql, subscriber: rows.Subscriber) {
  const id = await rows.addDelivery(sql, subscriber);
  const batchId = uuidv7();
  await createDeliveryBatch(sql, { batchId, max: 1 });
  await sql`delete from outbox`;
  return { id, batchId, begun: await rows.mustBegin(sql, id, 0, batchId) };
}
const record = (sql: Sql, result: AttemptResult) => recordAttempts(sql, [result], rows.noLimit);

test.for([
  ['succeeded', rows.success],
  ['deadLettered', rows.deadLetter],
  ['failed', { state: 'failed' }],
] as const)(
  'a delivery that ended as %s leaves its batch for a run that shows it, if its result asks for it',
  async ([state, given], { sql, subscriber }) => {
    const { id, batchId, begun } = await member(sql, subscriber);
    const result = rows.resultOf(begun, { ...given, hasOwnRun: true });
    await record(sql, result);
    expect(await rows.standing(sql, id)).toMatchObject({ state, batchId: null });
    const { vendorId } = subscriber;
    const details = rows.detailsOf(
      begun,
      result,
      batchId,
      state === 'deadLettered' ? result.at : null,
    );
    const ended = { signal: 'ended', attempts: 1, state, details };
    const payload = { ...ended, vendorId, eventType: rows.eventType };
    expect(await messagesTo(sql, id)).toEqual([{ kind: 'webhookDelivery', payload }]);
  },
);

test('writes one message for a failed delivery', async ({ sql, subscriber }) => {
  const { id, begun } = await member(sql, subscriber);
  await record(sql, rows.resultOf(begun, { hasOwnRun: true }));
  expect(await rows.standing(sql, id)).toMatchObject({ state: 'waiting', batchId: null });
  expect(await messagesTo(sql, id)).toMatchObject([
    { payload: { signal: 'retry', attempts: 1, tries: 1 } },
  ]);
});

test.for([{}, rows.success])(
  'a redelivered dead letter gets its own run, with the time of the dead letter before: %j',
  async (given, { sql, subscriber }) => {
    const { id, begun } = await member(sql, subscriber);
    const dead = rows.resultOf(begun, rows.deadLetter);
    await record(sql, dead);
    const locked = await lockDelivery(sql, { deliveryId: id });
    if (locked === null) throw new Error('no such delivery');
    await redeliver(sql, locked);
    const batchId = uuidv7();
    await createDeliveryBatch(sql, { batchId, max: 1 });
    await sql`delete from outbox`;
    const again = await rows.mustBegin(sql, id, 1, batchId);

    const result = rows.resultOf(again, given);
    await record(sql, result);

    const details = rows.detailsOf(again, result, batchId, dead.at);
    expect(await messagesTo(sql, id)).toMatchObject([{ payload: { attempts: 2, details } }]);
  },
);

test('a result that comes twice writes one message', async ({ sql, subscriber }) => {
  const { id, begun } = await member(sql, subscriber);
  const result = rows.resultOf(begun, { ...rows.success, hasOwnRun: true });
  await record(sql, result);
  expect(await record(sql, result)).toEqual([]);
  expect(await messagesTo(sql, id)).toHaveLength(1);
});

test('a delivery that its own run attempts gets no message', async ({ sql, subscriber }) => {
  const id = await rows.addDelivery(sql, subscriber);
  await sql`delete from outbox`;
  const begun = await rows.mustBegin(sql, id);
  await record(sql, rows.resultOf(begun, { ...rows.success, hasOwnRun: true }));
  expect(await messagesTo(sql, id)).toEqual([]);
});
