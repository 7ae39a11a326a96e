import { expect } from 'vitest';
import { type Sql } from '../../../db/core/client.ts';
import {
  deactivateSubscriptions,
  cancelStaleDeliveries,
} from '../../../db/webhooks/cancel-deliveries.ts';
import * as rows from './delivery-rows.ts';
import { raceRounds } from '../../support/race-rounds.ts';

const test = rows.subscriberTest;

const switchOff = (sql: Sql, subscriber: rows.Subscriber, reason = 'any') =>
  sql.begin((transaction) =>
    deactivateSubscriptions(transaction, [{ id: subscriber.subscriptionId, reason }]),
  );

test('ends a waiting delivery, with a low-priority message', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  await rows.attempt(sql, deliveryId);
  await sql`delete from outbox`;
  await switchOff(sql, subscriber, 'the reason');
  expect(await rows.standing(sql, deliveryId)).toMatchObject({ state: 'cancelled', attempts: 2 });
  expect(await rows.attemptTexts(sql, deliveryId)).toEqual([
    '1 http_status 500',
    '2 subscription_inactive',
  ]);
  const { vendorId } = subscriber;
  const payload = { vendorId, eventType: rows.eventType, signal: 'deactivated' };
  expect(
    await sql`select kind, payload, is_low_priority from outbox where subject_id = ${deliveryId}`,
  ).toEqual([{ kind: 'webhookDelivery', payload, isLowPriority: true }]);
  expect(
    await sql`select is_active, inactive_reason from webhook_subscriptions
      where id = ${subscriber.subscriptionId}`,
  ).toEqual([{ isActive: false, inactiveReason: 'the reason' }]);
});

test('ends a delivery once, in either order with a begin', async ({ sql, subscriber }) => {
  for (let round = 0; round < raceRounds; round += 1) {
    const deliveryId = await rows.addDelivery(sql, subscriber);
    const [, begun] = await Promise.all([switchOff(sql, subscriber), rows.begin(sql, deliveryId)]);
    if (begun !== null) await rows.record(sql, [begun]);
    expect(await rows.standing(sql, deliveryId)).toMatchObject({
      state: 'cancelled',
      isUnderWay: false,
    });
    const attemptTexts = await rows.attemptTexts(sql, deliveryId);
    expect(attemptTexts.filter((each) => each.endsWith('subscription_inactive'))).toHaveLength(1);
    await sql`
      update webhook_subscriptions set is_active = true where id = ${subscriber.subscriptionId}`;
  }
});

test('ends deliveries of an earlier epoch after an activation', async ({ sql, subscriber }) => {
  const deliveryIds = await rows.addDeliveries(sql, subscriber, 3);
  // As when there were too many for the statement that switched it off.
  await sql`
    update webhook_subscriptions set epoch = epoch + 1 where id = ${subscriber.subscriptionId}`;
  const begun = await rows.mustBegin(sql, deliveryIds[0] ?? '');
  expect(begun.isActive).toBe(false);
  await cancelStaleDeliveries(sql);
  for (const deliveryId of deliveryIds.slice(1)) {
    expect(await rows.standing(sql, deliveryId)).toMatchObject({ state: 'cancelled', attempts: 1 });
    expect(await rows.attemptTexts(sql, deliveryId)).toEqual(['1 subscription_inactive']);
  }
  // The one under way is left to who records its result.
  expect(await rows.standing(sql, deliveryIds[0] ?? '')).toMatchObject({
    state: 'waiting',
    isUnderWay: true,
  });
  const isSettled = async (): Promise<boolean> => {
    await cancelStaleDeliveries(sql);
    const [row] = await sql<[{ isSettled: boolean }]>`
      select settled_epoch = epoch as is_settled from webhook_subscriptions
      where id = ${subscriber.subscriptionId}`;
    return row.isSettled;
  };
  expect(await isSettled()).toBe(false);
  await rows.record(sql, [begun]);
  expect(await isSettled()).toBe(true);
});
