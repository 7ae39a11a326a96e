import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { lockDelivery } from '../../../db/webhooks/redelivery.ts';
import * as rows from './delivery-rows.ts';
import { meets } from '../../support/database/locks.ts';
import { raceRounds } from '../../support/race-rounds.ts';

const test = rows.subscriberTest;

// What a redelivery leaves of a delivery in each state has its rows in `delivery-table.test.ts`.

test('redelivers a delivery once for two concurrent calls', async ({ sql, subscriber }) => {
  for (let round = 0; round < raceRounds; round += 1) {
    const deliveryId = await rows.deadLettered(sql, subscriber);
    const done = await Promise.all([rows.putBack(sql, deliveryId), rows.putBack(sql, deliveryId)]);
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await rows.mustClaim(sql)).toMatchObject({ deliveryId, attemptNumber: 2 });
  }
});

test('finds a delivery to lock only at its vendor’s subscription', async ({ sql, subscriber }) => {
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

test('reads the current delivery after a wait for its lock', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const locked = await meets(
    sql,
    async (transaction) => {
      await transaction`
        update webhook_deliveries set state = 'succeeded', attempts = 5 where id = ${deliveryId}`;
      await transaction`
        update webhook_subscriptions set is_active = false
        where id = ${subscriber.subscriptionId}`;
    },
    () => sql.begin((transaction) => lockDelivery(transaction, { deliveryId })),
  );
  expect(locked).toMatchObject({ state: 'succeeded', attempts: 5, isActive: false });
});
