import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type Sql } from '../../../db/core/client.ts';
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

const deliveriesOf = (sql: Sql, eventId: string) => sql<
  { id: string; subscriptionId: string; state: string }[]
>`
  select id, subscription_id, state from webhook_deliveries where event_id = ${eventId}`;

test('delivers to the vendor’s active subscriptions to the type only', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const first = await addSubscription(sql, vendorId);
  const both = await addSubscription(sql, vendorId, [
    'vendor.order.assigned',
    'vendor.offer.review-decision',
  ]);
  await addSubscription(sql, vendorId, ['vendor.order.assigned']);
  const inactive = await addSubscription(sql, vendorId);
  await sql`update webhook_subscriptions set is_active = false where id = ${inactive}`;
  await addSubscription(sql, await addVendor(sql));

  const event = eventOf(vendorId);
  await emitEvents(sql, event);
  const deliveries = await deliveriesOf(sql, event.id);
  expect(deliveries.map(({ subscriptionId }) => subscriptionId).toSorted()).toEqual(
    [first, both].toSorted(),
  );
  expect(deliveries.every(({ state }) => state === 'waiting')).toBe(true);
  const messages = await sql`
    select kind, subject_id, payload from outbox
    where subject_id = any(${deliveries.map(({ id }) => id)})`;
  const payload = { signal: 'start', vendorId, eventType: event.eventType };
  expect(messages.map(({ kind, payload }) => ({ kind, payload }))).toEqual([
    { kind: 'webhookDelivery', payload },
    { kind: 'webhookDelivery', payload },
  ]);
});

test('keeps the exact text of the body, with the number at its end', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  await addSubscription(sql, vendorId);
  const event = eventOf(vendorId);
  await emitEvents(sql, event);
  const [stored] = await sql`select body, occurred_at from webhook_events where id = ${event.id}`;
  expect(stored).toEqual({ body: '{"b":1,"a": 2,"sequence":1}', occurredAt: event.occurredAt });
});

test('one event is never stored twice', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  await addSubscription(sql, vendorId);
  const event = eventOf(vendorId);
  await emitEvents(sql, event);
  await expect(emitEvents(sql, event)).rejects.toThrow(/duplicate key/);
  expect(await deliveriesOf(sql, event.id)).toHaveLength(1);
});
