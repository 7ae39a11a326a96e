import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { findLatestAttempt } from '../../../../db/webhooks/attempts/attempt-list.ts';
import {
  recordAttempts,
  type AttemptResult,
} from '../../../../db/webhooks/attempts/record-attempts.ts';
import type { Sql } from '../../../../db/core/client.ts';
import { createDeliveryBatch } from '../../../support/webhooks/delivery-batch.ts';
import { findSubscription } from '../../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import * as rows from '../delivery-rows.ts';
import { messagesTo } from '../../support.ts';
import { raceRounds } from '../../../support/race-rounds.ts';

const test = rows.subscriberTest;

const record = (sql: Sql, ...results: readonly AttemptResult[]) =>
  recordAttempts(sql, results, rows.noLimit);
const subscription = (sql: Sql, subscriber: rows.Subscriber) =>
  findSubscription(sql, subscriber.vendorId, subscriber.subscriptionId);

test('records one of two results at a time', async ({ sql, subscriber }) => {
  for (let round = 0; round < raceRounds; round += 1) {
    const deliveryId = await rows.addDelivery(sql, subscriber);
    const begun = await rows.mustBegin(sql, deliveryId);
    const moved = await Promise.all([
      record(sql, rows.resultOf(begun, rows.success)),
      record(sql, rows.resultOf(begun)),
    ]);
    const [only, ...others] = moved.flat();
    expect(others).toEqual([]);
    expect(await rows.standing(sql, deliveryId)).toMatchObject({
      state: only?.state,
      isUnderWay: false,
    });
  }
});

test.for([
  [rows.success, 'succeeded', 'Success', null],
  [{}, 'waiting', 'Failed', null],
  [rows.deadLetter, 'deadLettered', 'DeadLettered', new Date(rows.at)],
  [{ state: 'failed' }, 'failed', 'Failed', null],
] as const)(
  'after %j the delivery is %s and the subscription says %s',
  async ([given, state, status, deadLetteredAt], { sql, subscriber }) => {
    const deliveryId = await rows.addDelivery(sql, subscriber);
    const begun = await rows.mustBegin(sql, deliveryId);
    expect(await record(sql, rows.resultOf(begun, given))).toEqual([
      {
        deliveryId,
        attemptNumber: 1,
        state,
        subscriptionId: subscriber.subscriptionId,
        isCurrent: true,
        hasFailedTooLong: false,
      },
    ]);
    expect(await rows.standing(sql, deliveryId)).toEqual({
      state,
      attempts: 1,
      isUnderWay: false,
      batchId: null,
      deadLetteredAt,
    });
    expect(await findLatestAttempt(sql, deliveryId)).toMatchObject({
      sentAt: new Date(rows.at),
      nextAttemptAt: new Date(rows.later),
      deadLetteredAt,
    });
    const lastDeliveryAt = new Date(rows.at);
    expect(await subscription(sql, subscriber)).toMatchObject({
      lastDeliveryAt,
      lastDeliveryStatus: status,
      isActive: true,
    });
  },
);

test('keeps the last delivery when nothing was sent', async ({ sql, subscriber }) => {
  await rows.attempt(sql, await rows.addDelivery(sql, subscriber), {
    sentAt: null,
    httpStatus: null,
    errorSummary: 'subscription_inactive',
    state: 'cancelled',
  });
  expect(await subscription(sql, subscriber)).toMatchObject({
    lastDeliveryAt: null,
    lastDeliveryStatus: null,
  });
});

test('stores the newest of all results as the last delivery', async ({ sql, subscriber }) => {
  const ids = await rows.addDeliveries(sql, subscriber, 6);
  const begun = await Promise.all(ids.map((id) => rows.mustBegin(sql, id)));
  const [late, ...results] = begun.map((one, index) => {
    const at = rows.instant((index * 5) % 6);
    return rows.resultOf(one, (index * 5) % 6 === 5 ? { ...rows.success, at } : { at });
  });
  await record(sql, ...results);
  const last = { lastDeliveryAt: new Date(rows.instant(5)), lastDeliveryStatus: 'Success' };
  expect(await subscription(sql, subscriber)).toMatchObject(last);
  // An older one that is recorded later.
  await record(sql, ...[late].flatMap((one) => one ?? []));
  expect(await subscription(sql, subscriber)).toMatchObject(last);
});

/** A batch of one delivery whose attempt has begun; its message is gone. */
async function member(sql: Sql, subscriber: rows.Subscriber) {
  const id = await rows.addDelivery(sql, subscriber);
  const batchId = uuidv7();
  await createDeliveryBatch(sql, { batchId, max: 1 });
  await sql`delete from outbox`;
  return { id, batchId, begun: await rows.mustBegin(sql, id, 0, batchId) };
}

test.for([false, true])(
  'moves a failed member to its own run by one message, asked for: %s',
  async (hasOwnRun, { sql, subscriber }) => {
    const { id, batchId, begun } = await member(sql, subscriber);
    await record(sql, rows.resultOf(begun, { hasOwnRun }));
    expect(await rows.standing(sql, id)).toMatchObject({ state: 'waiting', batchId: null });
    const [message, ...others] = await messagesTo(sql, id);
    expect(others).toEqual([]);
    const { dueAt, ...payload } = message?.payload ?? {};
    expect(payload).toEqual({
      vendorId: subscriber.vendorId,
      eventType: rows.eventType,
      signal: 'retry',
      attempts: 1,
      tries: 1,
      details: rows.detailsOf(begun, rows.resultOf(begun), batchId),
    });
    expect(new Date(String(dueAt))).toEqual(new Date(rows.later));
  },
);

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

test.for([{}, rows.success])(
  'a redelivered dead letter gets its own run, with the time of the dead letter before: %j',
  async (given, { sql, subscriber }) => {
    const { id, begun } = await member(sql, subscriber);
    const dead = rows.resultOf(begun, rows.deadLetter);
    await record(sql, dead);
    await rows.putBack(sql, id);
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

test('a delivery that its own run attempts gets no message', async ({ sql, subscriber }) => {
  const id = await rows.addDelivery(sql, subscriber);
  await sql`delete from outbox`;
  const begun = await rows.mustBegin(sql, id);
  await record(sql, rows.resultOf(begun, { ...rows.success, hasOwnRun: true }));
  expect(await messagesTo(sql, id)).toEqual([]);
});
