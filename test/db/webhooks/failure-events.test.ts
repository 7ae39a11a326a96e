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

test('emits one event of the dead letter and one of the 410', async ({ sql, subscriber }) => {
  const other = await addSubscription(sql, subscriber.vendorId, [...eventTypes]);
  const deliveryId = await rows.addDelivery(sql, subscriber);
  await rows.attempt(sql, deliveryId, rows.gone);
  const { subscriptionId } = subscriber;
  const [event] = await sql<[{ eventId: string }]>`
    select event_id from webhook_deliveries where id = ${deliveryId}`;
  expect(await emitted(sql, subscriber)).toEqual([
    {
      eventType: 'vendor.webhook.delivery-dead-lettered',
      data: {
        subscriptionId,
        deliveryId,
        deadLetteredEventId: event.eventId,
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

/** The subscription receives events of every type, and one of its deliveries is a dead letter. */
async function deadLetterOfAny(sql: Sql, subscriber: rows.Subscriber): Promise<void> {
  await sql`
    update webhook_subscriptions set event_types = ${[...eventTypes]}
    where id = ${subscriber.subscriptionId}`;
  await rows.attempt(sql, await rows.addDelivery(sql, subscriber), rows.deadLetter);
}

test('a failing subscription never receives an event about itself', async ({ sql, subscriber }) => {
  await deadLetterOfAny(sql, subscriber);
  expect(await emitted(sql, subscriber)).toMatchObject([
    { eventType: 'vendor.webhook.delivery-dead-lettered', receivers: [] },
  ]);
});

test('a dead letter about a webhook gives no further event', async ({ sql, subscriber }) => {
  const other = await addSubscription(sql, subscriber.vendorId, [...eventTypes]);
  await deadLetterOfAny(sql, subscriber);
  const [delivery] = await sql<[{ id: string }]>`
    select id from webhook_deliveries
    where subscription_id = ${other} and event_type = 'vendor.webhook.delivery-dead-lettered'`;
  await rows.attempt(sql, delivery.id, rows.deadLetter);
  expect(await emitted(sql, subscriber)).toHaveLength(1);
});
