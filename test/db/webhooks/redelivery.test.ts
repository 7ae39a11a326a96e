import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type Sql } from '../../../db/core/client.ts';
import { lockDelivery, redeliver } from '../../../db/webhooks/redelivery.ts';
import * as rows from './delivery-rows.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { messagesTo } from '../support.ts';
import { raceRounds } from '../../support/race-rounds.ts';

const test = databaseTest.extend('subscriber', ({ sql }) => rows.newSubscriber(sql));

test.beforeEach(async ({ sql }) => {
  await sql`delete from outbox`;
});

/** As the routes do: only what waits no more is put back. Answers whether it was. */
const putBack = (sql: Sql, deliveryId: string): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const locked = await lockDelivery(transaction, { deliveryId });
    if (locked === null || locked.state === 'waiting') return false;
    await redeliver(transaction, locked);
    return true;
  });

async function deadLettered(sql: Sql, subscriber: rows.Subscriber): Promise<string> {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  await rows.attempt(sql, deliveryId, rows.deadLetter);
  await sql`delete from outbox where subject_id = ${deliveryId}`;
  return deliveryId;
}

test('tells the run of a redelivery its last attempt number', async ({ sql, subscriber }) => {
  const deliveryId = await deadLettered(sql, subscriber);
  expect(await putBack(sql, deliveryId)).toBe(true);
  expect(await rows.standing(sql, deliveryId)).toEqual({
    state: 'waiting',
    attempts: 1,
    isUnderWay: false,
    batchId: null,
    deadLetteredAt: null,
  });
  const { vendorId } = subscriber;
  expect(await messagesTo(sql, deliveryId)).toEqual([
    {
      kind: 'webhookDelivery',
      payload: { vendorId, eventType: rows.eventType, signal: 'redeliver', attempts: 1 },
    },
  ]);
  expect(await rows.begin(sql, deliveryId, 1)).toMatchObject({ attemptNumber: 2 });
});

test('of two who put one delivery back at once exactly one does', async ({ sql, subscriber }) => {
  for (let round = 0; round < raceRounds; round += 1) {
    const deliveryId = await deadLettered(sql, subscriber);
    const done = await Promise.all([putBack(sql, deliveryId), putBack(sql, deliveryId)]);
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await messagesTo(sql, deliveryId)).toHaveLength(1);
  }
});

test('locks by an attempt only at the vendor’s own subscription', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const { id: attemptId } = await rows.attempt(sql, deliveryId);
  const other = await rows.newSubscriber(sql);
  const lock = (which: { attemptId: string; subscriptionId: string; vendorId: string }) =>
    sql.begin((transaction) => lockDelivery(transaction, which));
  expect(await lock({ attemptId, ...subscriber })).toMatchObject({
    id: deliveryId,
    ...subscriber,
    state: 'waiting',
    attempts: 1,
    isTest: false,
    isActive: true,
  });
  expect(await lock({ attemptId, ...subscriber, vendorId: other.vendorId })).toBeNull();
  expect(await lock({ attemptId, ...subscriber, subscriptionId: other.subscriptionId })).toBeNull();
  expect(await lock({ ...subscriber, attemptId: uuidv7() })).toBeNull();
});

test('a reader that waited for the lock sees the current delivery', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`
    update webhook_deliveries set state = 'succeeded', attempts = 5 where id = ${deliveryId}`;
  await holder`
    update webhook_subscriptions set is_active = false where id = ${subscriber.subscriptionId}`;
  const locked = sql.begin((transaction) => lockDelivery(transaction, { deliveryId }));
  await holder`commit`;
  holder.release();
  expect(await locked).toMatchObject({ state: 'succeeded', attempts: 5, isActive: false });
});
