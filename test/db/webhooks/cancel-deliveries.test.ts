import { expect } from 'vitest';
import {
  deactivateSubscriptions,
  cancelStaleDeliveries,
} from '../../../db/webhooks/cancel-deliveries.ts';
import * as rows from './delivery-rows.ts';
import { repeatAfterLockTimeouts } from '../../support/database/locks.ts';
import { raceRounds } from '../../support/race-rounds.ts';

// What a deactivation leaves of a delivery in each state has its rows in `delivery-table.test.ts`.

const test = rows.subscriberTest;

test('ends a delivery once beside a concurrent attempt', async ({ sql, subscriber }) => {
  const { subscriptionId: id } = subscriber;
  const switchOff = () =>
    sql.begin((transaction) => deactivateSubscriptions(transaction, [{ id, reason: 'any' }]));
  const play = async (): Promise<void> => {
    await sql`update webhook_subscriptions set is_active = true where id = ${id}`;
    const deliveryId = await rows.addDelivery(sql, subscriber);
    const works = [switchOff(), rows.begin(sql, deliveryId)] as const;
    await Promise.allSettled(works);
    const [, begun] = await Promise.all(works);
    if (begun !== null) await rows.record(sql, [begun]);
    const ended = { state: 'cancelled', isUnderWay: false };
    expect(await rows.standing(sql, deliveryId)).toMatchObject(ended);
    const attemptTexts = await rows.attemptTexts(sql, deliveryId);
    expect(attemptTexts.filter((each) => each.endsWith('subscription_inactive'))).toHaveLength(1);
  };
  for (let round = 0; round < raceRounds; round += 1) await repeatAfterLockTimeouts(play);
});

test('settles a subscription once no earlier attempt is under way', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const { subscriptionId: id } = subscriber;
  await sql`update webhook_subscriptions set epoch = epoch + 1 where id = ${id}`;
  const begun = await rows.mustBegin(sql, deliveryId);
  expect(begun.isActive).toBe(false);
  const current = await rows.addDelivery(sql, subscriber);
  const isSettled = async (): Promise<boolean> => {
    await cancelStaleDeliveries(sql);
    const [row] = await sql<[{ isSettled: boolean }]>`
      select settled_epoch = epoch as is_settled from webhook_subscriptions where id = ${id}`;
    return row.isSettled;
  };
  expect(await isSettled()).toBe(false);
  await rows.record(sql, [begun]);
  expect(await isSettled()).toBe(true);
  expect(await rows.standing(sql, current)).toMatchObject({ state: 'waiting', attempts: 0 });
});
