import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { beginAttempts } from '../../../../db/webhooks/attempts/begin-attempts.ts';
import { findLatestAttempt } from '../../../../db/webhooks/attempts/attempt-list.ts';
import {
  recordAttempts,
  type AttemptResult,
} from '../../../../db/webhooks/attempts/record-attempts.ts';
import { connect, type Sql } from '../../../../db/core/client.ts';
import { createDeliveryBatch } from '../../../support/webhooks/delivery-batch.ts';
import { findSubscription } from '../../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import * as rows from '../delivery-rows.ts';
import { databaseTest } from '../../../support/database/database-test.ts';
import { messagesTo } from '../../support.ts';

const test = databaseTest
  .extend('sql', { scope: 'file' }, ({ database }, { onCleanup }) => {
    const sql = connect(database.url, { max: 12, name: 'test' });
    onCleanup(() => sql.end());
    return sql;
  })
  .extend('subscriber', ({ sql }) => rows.newSubscriber(sql));

test.beforeEach(async ({ sql }) => {
  await sql`delete from outbox`;
});

const record = (sql: Sql, ...results: readonly AttemptResult[]) =>
  recordAttempts(sql, results, rows.noLimit);
const subscription = (sql: Sql, subscriber: rows.Subscriber) =>
  findSubscription(sql, subscriber.vendorId, subscriber.subscriptionId);

test('records a result once', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const begun = await rows.attempt(sql, deliveryId, rows.success);
  const before = [await findLatestAttempt(sql, deliveryId), await subscription(sql, subscriber)];
  expect(await record(sql, rows.resultOf(begun, { ...rows.gone, at: rows.later }))).toEqual([]);
  expect([await findLatestAttempt(sql, deliveryId), await subscription(sql, subscriber)]).toEqual(
    before,
  );
  expect(await rows.standing(sql, deliveryId)).toMatchObject({ state: 'succeeded', attempts: 1 });
});

test('records one of two results at a time', async ({ sql, subscriber }) => {
  for (let round = 0; round < 100; round += 1) {
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

test('keeps the newer of two results as the last delivery', async ({ sql, subscriber }) => {
  const [one, two] = await beginAttempts(
    sql,
    (await rows.addDeliveries(sql, subscriber, 2)).map((deliveryId) => ({
      deliveryId,
      after: 0,
      batchId: null,
    })),
  );
  if (one === undefined || two === undefined) throw new Error('two were begun');
  await record(sql, rows.resultOf(one, { ...rows.success, at: rows.instant(1000) }));
  await record(sql, rows.resultOf(two, { ...rows.deadLetter, at: rows.instant(0) }));
  const lastDeliveryAt = new Date(rows.instant(1000));
  expect(await subscription(sql, subscriber)).toMatchObject({
    lastDeliveryAt,
    lastDeliveryStatus: 'Success',
  });
});

test('stores the newest of several results as the last delivery', async ({ sql, subscriber }) => {
  const ids = await rows.addDeliveries(sql, subscriber, 5);
  const begun = await beginAttempts(
    sql,
    ids.map((deliveryId) => ({ deliveryId, after: 0, batchId: null })),
  );
  const results = begun.map((one, index) => {
    const at = rows.instant((index * 3 + 1) % 5);
    return rows.resultOf(one, (index * 3 + 1) % 5 === 4 ? { ...rows.success, at } : { at });
  });
  await record(sql, ...results);
  const lastDeliveryAt = new Date(rows.instant(4));
  expect(await subscription(sql, subscriber)).toMatchObject({
    lastDeliveryAt,
    lastDeliveryStatus: 'Success',
  });
});

test('moves a failed member to its own run by one message', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const batchId = uuidv7();
  await createDeliveryBatch(sql, { batchId, max: 10 });
  const begun = await rows.mustBegin(sql, deliveryId, 0, batchId);
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`;
  await sql`create trigger refused before insert on outbox execute function refuse()`;
  await expect(record(sql, rows.resultOf(begun))).rejects.toThrow('refused');
  await sql`drop function refuse cascade`;
  expect(await rows.attemptTexts(sql, deliveryId)).toEqual(['1 under way']);

  await record(sql, rows.resultOf(begun));
  expect(await rows.standing(sql, deliveryId)).toMatchObject({
    state: 'waiting',
    batchId: null,
    attempts: 1,
  });
  const [message, ...others] = await messagesTo(sql, deliveryId);
  expect(others).toEqual([]);
  const { dueAt, ...payload } = message?.payload ?? {};
  const { vendorId } = subscriber;
  expect(payload).toEqual({
    vendorId,
    eventType: rows.eventType,
    signal: 'retry',
    attempts: 1,
    tries: 1,
    details: rows.detailsOf(begun, rows.resultOf(begun), batchId),
  });
  expect(new Date(String(dueAt))).toEqual(new Date(rows.later));
});
