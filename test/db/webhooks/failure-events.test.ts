import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { eventTypes, type EventType } from '../../../domain/webhooks/events.ts';
import { addSubscription } from '../support.ts';
import * as rows from './delivery-rows.ts';

// The events about a vendor's own webhooks (D99): for its other subscriptions and its feed.

const test = rows.subscriberTest;

type Emitted = {
  readonly eventType: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly receivers: readonly string[];
};

/** The events about webhooks, and the subscriptions that receive each. */
const emitted = (sql: Sql, { vendorId }: rows.Subscriber) => sql<Emitted[]>`
  select event_type, body::jsonb -> 'data' as data, array(
    select subscription_id::text from webhook_deliveries where event_id = event.id order by 1
  ) as receivers
  from webhook_events as event
  where vendor_id = ${vendorId} and event_type like 'vendor.webhook.%' order by sequence`;

/** A delivery, and a subscription beside its own; both receive events of every type. */
async function newDelivery(sql: Sql, subscriber: rows.Subscriber) {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const other = await addSubscription(sql, subscriber.vendorId, [...eventTypes]);
  await sql`
    update webhook_subscriptions set event_types = ${[...eventTypes]}
    where id = ${subscriber.subscriptionId}`;
  return { deliveryId, other };
}

test('emits one event for the dead letter and one for the 410', async ({ sql, subscriber }) => {
  const { subscriptionId } = subscriber;
  const { deliveryId, other } = await newDelivery(sql, subscriber);
  const { eventId } = await rows.attempt(sql, deliveryId, rows.gone);
  expect(await emitted(sql, subscriber)).toEqual([
    {
      eventType: 'vendor.webhook.delivery-dead-lettered',
      data: {
        subscriptionId,
        deliveryId,
        deadLetteredEventId: eventId,
        deadLetteredEventType: 'vendor.offer.review-decision',
        attemptCount: 1,
        httpStatus: 410,
        errorSummary: expect.any(String),
      },
      receivers: [other],
    },
    {
      eventType: 'vendor.webhook.disabled',
      data: { subscriptionId, reason: 'Gone' },
      receivers: [other],
    },
  ]);
});

// The failing subscription gets no event, and a dead letter about a webhook causes none.
test('emits one event of a dead letter to other subscriptions', async ({ sql, subscriber }) => {
  const { deliveryId, other } = await newDelivery(sql, subscriber);
  await rows.attempt(sql, deliveryId, rows.deadLetter);
  const [delivery] = await sql<[{ id: string }]>`
    select id from webhook_deliveries where subscription_id = ${other}`;
  await rows.attempt(sql, delivery.id, rows.deadLetter);
  expect(await emitted(sql, subscriber)).toMatchObject([
    { eventType: 'vendor.webhook.delivery-dead-lettered', receivers: [other] },
  ]);
});
