import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { recordAttempts } from '../../../db/webhooks/record-attempts.ts';
import { connect, type Sql } from '../../../db/core/client.ts';
import { createDeliveryBatch } from '../../../db/webhooks/delivery-batches.ts';
import {
  deactivateSubscriptions,
  cancelStaleDeliveries,
} from '../../../db/webhooks/cancel-deliveries.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import * as rows from './delivery-rows.ts';
import { countOf } from '../support.ts';

let database: TestDatabase;
let sql: Sql;
let place: rows.Place;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 10, name: 'test' });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  await sql`delete from outbox`;
  place = await rows.newPlace(sql);
});

const switchOff = (reason = 'any') =>
  sql.begin((transaction) =>
    deactivateSubscriptions(transaction, [{ id: place.subscriptionId, reason }]),
  );

test('what waits is ended with a row that says why, and its run is told, in no hurry', async () => {
  const deliveryId = await rows.addDelivery(sql, place);
  await rows.attempt(sql, deliveryId);
  await sql`delete from outbox`;
  await switchOff('the reason');
  expect(await rows.standing(sql, deliveryId)).toMatchObject({ state: 'cancelled', attempts: 2 });
  expect(await rows.told(sql, deliveryId)).toEqual([
    '1 http_status 500',
    '2 subscription_inactive',
  ]);
  const { vendorId } = place;
  const payload = { vendorId, eventType: rows.eventType, signal: 'deactivated' };
  expect(
    await sql`select kind, payload, is_low_priority from outbox where subject_id = ${deliveryId}`,
  ).toEqual([{ kind: 'webhookDelivery', payload, isLowPriority: true }]);
  expect(
    await sql`select is_active, inactive_reason from webhook_subscriptions where id = ${place.subscriptionId}`,
  ).toEqual([{ isActive: false, inactiveReason: 'the reason' }]);
});

test('an attempt under way is left to itself, and its result ends it', async () => {
  const deliveryId = await rows.addDelivery(sql, place);
  const begun = await rows.mustBegin(sql, deliveryId);
  await switchOff();
  expect(await rows.standing(sql, deliveryId)).toMatchObject({
    state: 'waiting',
    isUnderWay: true,
  });
  await recordAttempts(sql, [rows.resultOf(begun)], rows.noLimit);
  expect(await rows.told(sql, deliveryId)).toEqual([
    '1 http_status 500',
    '2 subscription_inactive',
  ]);
});

test('members of a dispatch are ended without a message: it finds them ended', async () => {
  const deliveryId = await rows.addDelivery(sql, place);
  const batchId = uuidv7();
  await createDeliveryBatch(sql, { batchId, max: 10 });
  await switchOff();
  expect(await rows.messagesTo(sql, deliveryId)).toEqual([]);
  expect(await rows.standing(sql, deliveryId)).toMatchObject({ state: 'cancelled' });
  expect(await rows.begin(sql, deliveryId, 0, batchId)).toBeNull();
});

test('what has ended already, and other subscriptions, stay as they were', async () => {
  const done = await rows.addDelivery(sql, place);
  await rows.attempt(sql, done, rows.success);
  const elsewhere = await rows.addDelivery(sql, await rows.newPlace(sql));
  await switchOff();
  expect(await rows.standing(sql, done)).toMatchObject({ state: 'succeeded', attempts: 1 });
  expect(await rows.standing(sql, elsewhere)).toMatchObject({ state: 'waiting', attempts: 0 });
});

test('a subscription that is inactive already keeps its reason', async () => {
  await switchOff('first');
  const before = await countOf(sql, 'outbox');
  await switchOff('second');
  const [row] =
    await sql`select inactive_reason from webhook_subscriptions where id = ${place.subscriptionId}`;
  expect(row).toEqual({ inactiveReason: 'first' });
  expect(await countOf(sql, 'outbox')).toBe(before);
});

test('of a deactivation and an attempt that begins at once, whichever comes first, the delivery is ended once', async () => {
  for (let round = 0; round < 100; round += 1) {
    const deliveryId = await rows.addDelivery(sql, place);
    const [, begun] = await Promise.all([switchOff(), rows.begin(sql, deliveryId)]);
    if (begun !== null) await recordAttempts(sql, [rows.resultOf(begun)], rows.noLimit);
    expect(await rows.standing(sql, deliveryId)).toMatchObject({
      state: 'cancelled',
      isUnderWay: false,
    });
    const told = await rows.told(sql, deliveryId);
    expect(told.filter((each) => each.endsWith('subscription_inactive'))).toHaveLength(1);
    await sql`update webhook_subscriptions set is_active = true where id = ${place.subscriptionId}`;
  }
});

test('more than one statement ends are ended by their epoch: none is begun again, though the subscription is active again', async () => {
  const deliveryIds = await rows.addDeliveries(sql, place, 3);
  // As when there were too many for the statement that switched it off.
  await sql`
    update webhook_subscriptions set epoch = epoch + 1 where id = ${place.subscriptionId}`;
  const begun = await rows.mustBegin(sql, deliveryIds[0] ?? '');
  expect(begun.isActive).toBe(false);
  await cancelStaleDeliveries(sql);
  for (const deliveryId of deliveryIds.slice(1)) {
    expect(await rows.standing(sql, deliveryId)).toMatchObject({ state: 'cancelled', attempts: 1 });
    expect(await rows.told(sql, deliveryId)).toEqual(['1 subscription_inactive']);
  }
  // The one under way is left to who records its result.
  expect(await rows.standing(sql, deliveryIds[0] ?? '')).toMatchObject({
    state: 'waiting',
    isUnderWay: true,
  });
});
