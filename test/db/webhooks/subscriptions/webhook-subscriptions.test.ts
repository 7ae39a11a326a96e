import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { beginAttempts } from '../../../../db/webhooks/attempts/begin-attempts.ts';
import { type Sql } from '../../../../db/core/client.ts';
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
import {
  activeSubscriptionsMax,
  findSubscription,
  insertSubscription,
  listSubscriptionRecords,
  listSubscriptions,
  lockSubscription,
} from '../../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { addSubscription, addVendor } from '../../support.ts';
import { databaseTest as test } from '../../../support/database/database-test.ts';

const insert = (sql: Sql, vendorId: string) =>
  sql.begin((transaction) =>
    insertSubscription(transaction, {
      id: uuidv7(),
      vendorId,
      url: 'https://vendor.example.org/hook',
      eventTypes: ['vendor.order.assigned'],
      secretSealed: Buffer.from('sealed'),
    }),
  );

test('of ten creations at once exactly five succeed', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const made = await Promise.all(Array.from({ length: 10 }, () => insert(sql, vendorId)));
  expect(made.filter((subscription) => subscription !== null)).toHaveLength(activeSubscriptionsMax);
  const { items, totalCount } = await listSubscriptions(sql, vendorId, { page: 1, pageSize: 100 });
  expect([items.length, totalCount]).toEqual([5, 5]);
});

test('inactive subscriptions do not count, and another vendor has five of its own', async ({
  sql,
}) => {
  const vendorId = await addVendor(sql);
  for (let index = 0; index < 5; index += 1) await addSubscription(sql, vendorId);
  expect(await insert(sql, vendorId)).toBeNull();
  expect(await insert(sql, await addVendor(sql))).not.toBeNull();
  await sql`
    update webhook_subscriptions set is_active = false
    where id = (select id from webhook_subscriptions where vendor_id = ${vendorId} limit 1)`;
  expect(await insert(sql, vendorId)).not.toBeNull();
  expect(await insert(sql, vendorId)).toBeNull();
});

test("another vendor's subscription is not found, and its secret is not read", async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const id = await addSubscription(sql, vendorId);
  expect(await findSubscription(sql, await addVendor(sql), id)).toBeNull();
  const found = await findSubscription(sql, vendorId, id);
  expect(found).not.toHaveProperty('secretSealed');
  expect(found).toMatchObject({
    id,
    vendorId,
    isActive: true,
    lastDeliveryAt: null,
    lastDeliveryStatus: null,
  });
});

test('a deleted subscription cannot be changed, and is only in operators’ lists, no count', async ({
  sql,
}) => {
  const vendorId = await addVendor(sql);
  const id = await addSubscription(sql, vendorId);
  const inTransaction = (change: typeof deleteSubscription) =>
    sql.begin((transaction) => change(transaction, vendorId, id));
  expect(await inTransaction(deleteSubscription)).toBe('done');
  expect(await inTransaction(deleteSubscription)).toBe('none');
  expect(await inTransaction(activateSubscription)).toBe('none');
  expect(await inTransaction(switchOffSubscription)).toBe('none');
  expect(await replaceSecret(sql, vendorId, { id, secretSealed: Buffer.from('other') })).toBe(
    'none',
  );
  expect(await findSubscription(sql, vendorId, id)).toBeNull();
  expect(await lockSubscription(sql, id)).toBeNull();
  const page = { page: 1, pageSize: 10 };
  expect(await listSubscriptions(sql, vendorId, page)).toEqual({ items: [], totalCount: 0 });
  const { items } = await listSubscriptionRecords(sql, { vendorId, isActive: null }, page);
  expect(items).toMatchObject([{ id, isActive: false, deletedAt: expect.any(Date) }]);
  expect(items[0]).not.toHaveProperty('secretSealed');
  for (let index = 0; index < 5; index += 1) await addSubscription(sql, vendorId);
});

test('no change reaches a subscription of another vendor', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const stranger = await addVendor(sql);
  const id = await addSubscription(sql, vendorId);
  const rows = () =>
    sql`select webhook_subscriptions::text as row from webhook_subscriptions where id = ${id}`;
  const before = await rows();
  expect(await activateSubscription(sql, stranger, id)).toBe('none');
  expect(await switchOffSubscription(sql, stranger, id)).toBe('none');
  expect(await deleteSubscription(sql, stranger, id)).toBe('none');
  expect(await replaceSecret(sql, stranger, { id, secretSealed: Buffer.from('other') })).toBe(
    'none',
  );
  expect(await lockSubscription(sql, id, stranger)).toBeNull();
  expect(await rows()).toEqual(before);
});

const sampleFor = (vendorId: string): NewEvent =>
  newEvent({
    eventType: 'vendor.offer.review-decision',
    vendorId,
    occurredAt: new Date(),
    data: {},
  });

test('samples and events are listed in the order of Postgres, whatever a process’s clock', async ({
  sql,
  onTestFinished,
}) => {
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

test('a sample can be taken back until its attempt is begun; an event cannot', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const subscriptionId = await addSubscription(sql, vendorId);
  const put = () => insertSample(sql, sampleFor(vendorId), subscriptionId);
  const begin = (deliveryId: string) =>
    beginAttempts(sql, [{ deliveryId, after: 0, batchId: null }]);
  const [free, begun, event] = [await put(), await put(), await put()];
  await sql`update webhook_deliveries set is_test = false where id = ${event}`;
  expect(await begin(begun)).toHaveLength(1);
  expect(await Promise.all([free, begun, event].map((id) => cancelSample(sql, id)))).toEqual([
    true,
    false,
    false,
  ]);
  expect(await cancelSample(sql, free)).toBe(false);
  expect(await begin(free)).toEqual([]);
  expect(await begin(event)).toHaveLength(1);
});

test('of a taking back and an attempt that begins at the same time one is made', async ({
  sql,
}) => {
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
