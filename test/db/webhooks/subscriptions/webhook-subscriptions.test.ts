import { expect, onTestFinished, vi } from 'vitest';
import {
  activateSubscription,
  deleteSubscription,
  replaceSecret,
  switchOffSubscription,
} from '../../../../db/webhooks/subscriptions/subscription-changes.ts';
import { listDeliveries } from '../../../../db/webhooks/webhook-deliveries.ts';
import { anyDelivery } from '../../../support/webhooks/any-delivery.ts';
import { emitEvents, newEvent } from '../../../../db/webhooks/webhook-events.ts';
import { cancelSample, insertSample } from '../../../../db/webhooks/webhook-samples.ts';
import { lockSubscription } from '../../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { addVendor } from '../../support.ts';
import * as rows from '../delivery-rows.ts';

const test = rows.subscriberTest;

test('changes no subscription of another vendor', async ({ sql, subscriber }) => {
  const otherVendor = await addVendor(sql);
  const id = subscriber.subscriptionId;
  const stored = () =>
    sql`select webhook_subscriptions::text as row from webhook_subscriptions where id = ${id}`;
  const before = await stored();
  for (const change of [activateSubscription, switchOffSubscription, deleteSubscription])
    expect(await change(sql, otherVendor, id)).toBe('none');
  const replaced = { id, secretSealed: Buffer.from('other') };
  expect(await replaceSecret(sql, otherVendor, replaced)).toBe('none');
  expect(await lockSubscription(sql, id, otherVendor)).toBeNull();
  expect(await stored()).toEqual(before);
});

test('lists samples and events by the clock of Postgres', async ({ sql, subscriber }) => {
  const { vendorId, subscriptionId } = subscriber;
  // Its id is made before the clock is ahead.
  const { eventType } = rows;
  const event = newEvent({ eventType, vendorId, occurredAt: new Date(), data: {} });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
  onTestFinished(() => void vi.useRealTimers());
  const sample = await insertSample(sql, event, subscriptionId);
  await emitEvents(sql, { ...event, id: `${event.id}-later` });
  const page = { page: 1, pageSize: 2 };
  const { items } = await listDeliveries(sql, { ...anyDelivery, vendorId }, page);
  expect(items.map(({ id, isTest }) => (isTest ? id : 'event'))).toEqual(['event', sample]);
});

test('cancels or begins a sample, never both', async ({ sql, subscriber }) => {
  for (let round = 0; round < 40; round += 1) {
    const deliveryId = await rows.addSample(sql, subscriber);
    const [isCancelled, begun] = await Promise.all([
      cancelSample(sql, deliveryId),
      rows.begin(sql, deliveryId),
    ]);
    expect(begun === null).toBe(isCancelled);
  }
});
