import { expect, vi } from 'vitest';
import { beginAttempts } from '../../../../db/webhooks/attempts/begin-attempts.ts';
import {
  activateSubscription,
  deleteSubscription,
  replaceSecret,
  switchOffSubscription,
} from '../../../../db/webhooks/subscriptions/subscription-changes.ts';
import { listDeliveries } from '../../../../db/webhooks/webhook-deliveries.ts';
import { anyDelivery } from '../../../support/webhooks/any-delivery.ts';
import { emitEvents, newEvent, type NewEvent } from '../../../../db/webhooks/webhook-events.ts';
import { cancelSample, insertSample } from '../../../../db/webhooks/webhook-samples.ts';
import { lockSubscription } from '../../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { addSubscription, addVendor } from '../../support.ts';
import { databaseTest as test } from '../../../support/database/database-test.ts';

test('no change reaches a subscription of another vendor', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const otherVendor = await addVendor(sql);
  const id = await addSubscription(sql, vendorId);
  const rows = () =>
    sql`select webhook_subscriptions::text as row from webhook_subscriptions where id = ${id}`;
  const before = await rows();
  expect(await activateSubscription(sql, otherVendor, id)).toBe('none');
  expect(await switchOffSubscription(sql, otherVendor, id)).toBe('none');
  expect(await deleteSubscription(sql, otherVendor, id)).toBe('none');
  expect(await replaceSecret(sql, otherVendor, { id, secretSealed: Buffer.from('other') })).toBe(
    'none',
  );
  expect(await lockSubscription(sql, id, otherVendor)).toBeNull();
  expect(await rows()).toEqual(before);
});

const sampleFor = (vendorId: string): NewEvent =>
  newEvent({
    eventType: 'vendor.offer.review-decision',
    vendorId,
    occurredAt: new Date(),
    data: {},
  });

test('lists samples and events by the clock of Postgres', async ({ sql, onTestFinished }) => {
  const vendorId = await addVendor(sql);
  const subscriptionId = await addSubscription(sql, vendorId);
  const sample = sampleFor(vendorId);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const ofSample = await insertSample(sql, sample, subscriptionId);
  await emitEvents(sql, { ...sample, id: `${sample.id}-later` });
  const { items } = await listDeliveries(
    sql,
    { ...anyDelivery, vendorId },
    { page: 1, pageSize: 2 },
  );
  expect(items.map(({ id, isTest }) => (isTest ? id : 'event'))).toEqual(['event', ofSample]);
});

test('cancels or begins a sample, not both', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const subscriptionId = await addSubscription(sql, vendorId);
  for (let round = 0; round < 40; round += 1) {
    const deliveryId = await insertSample(sql, sampleFor(vendorId), subscriptionId);
    const [isCancelled, begun] = await Promise.all([
      cancelSample(sql, deliveryId),
      beginAttempts(sql, [{ deliveryId, after: 0, batchId: null }]),
    ]);
    expect(begun).toHaveLength(isCancelled ? 0 : 1);
  }
});
