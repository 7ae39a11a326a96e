import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { emitEvents, type NewEvent } from '../../../db/webhooks/webhook-events.ts';
import { addSubscription, addVendor } from '../support.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';

const eventOf = (vendorId: string): NewEvent => ({
  id: `evt_${uuidv7()}`,
  vendorId,
  eventType: 'vendor.offer.review-decision',
  body: '{"b":1,"a": 2}',
  occurredAt: new Date('2026-01-02T03:04:05.678Z'),
});

test('delivers to the vendor’s active subscriptions to the type only', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const first = await addSubscription(sql, vendorId);
  const assigned = 'vendor.order.assigned';
  const both = await addSubscription(sql, vendorId, [assigned, 'vendor.offer.review-decision']);
  await addSubscription(sql, vendorId, [assigned]);
  const inactive = await addSubscription(sql, vendorId);
  await sql`update webhook_subscriptions set is_active = false where id = ${inactive}`;
  await addSubscription(sql, await addVendor(sql));

  const event = eventOf(vendorId);
  await emitEvents(sql, event);
  const deliveries = await sql<{ id: string; subscriptionId: string; state: string }[]>`
    select id, subscription_id, state from webhook_deliveries where event_id = ${event.id}`;
  expect(deliveries.map(({ subscriptionId }) => subscriptionId).toSorted()).toEqual(
    [first, both].toSorted(),
  );
  expect(deliveries.every(({ state }) => state === 'waiting')).toBe(true);
  const messages = await sql`
    select kind, payload from outbox where subject_id = any(${deliveries.map(({ id }) => id)})`;
  const payload = { signal: 'start', vendorId, eventType: event.eventType };
  const message = { kind: 'webhookDelivery', payload };
  expect(messages).toEqual([message, message]);
});

test('stores an event once, its body as it is with the number at its end', async ({ sql }) => {
  const event = eventOf(await addVendor(sql));
  await emitEvents(sql, event);
  await expect(emitEvents(sql, event)).rejects.toThrow(/duplicate key/);
  const stored = await sql`select body, occurred_at from webhook_events where id = ${event.id}`;
  expect(stored).toEqual([{ body: '{"b":1,"a": 2,"sequence":1}', occurredAt: event.occurredAt }]);
});
