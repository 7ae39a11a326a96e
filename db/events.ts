import { v7 as uuidv7 } from 'uuid';
import { eventBody, type EventType } from '../domain/events.ts';
import type { Queryable } from './client.ts';

/** One event as it will be delivered; `body` is the exact text that is sent and signed. */
export type NewEvent = {
  readonly id: string;
  readonly vendorId: string;
  readonly eventType: EventType;
  readonly body: string;
  readonly occurredAt: Date;
};

/** An event that has just happened, with an id and a body of its own. */
export function newEvent(event: {
  readonly eventType: EventType;
  readonly vendorId: string;
  readonly occurredAt: Date;
  readonly data: object;
}): NewEvent {
  const { eventType, vendorId, occurredAt, data } = event;
  const id = `evt_${uuidv7()}`;
  const body = eventBody({
    eventId: id,
    eventType,
    occurredAt: occurredAt.toISOString(),
    vendorId,
    test: false,
    data,
  });
  return { id, vendorId, eventType, body, occurredAt };
}

/**
 * Writes an event, a delivery for each active subscription to its type, and the message to each delivery's workflow,
 * in the transaction of the change that it tells of: no event without its change, no change without its event (D47).
 * Nothing is stored when nobody is subscribed.
 */
export async function emitEvent(sql: Queryable, event: NewEvent): Promise<void> {
  const { id, vendorId, eventType, body, occurredAt } = event;
  await sql`
    with receivers as (
      select id from webhook_subscriptions
      where vendor_id = ${vendorId} and is_active and event_types @> ${[eventType]}
    ), stored as (
      insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
      select ${id}, ${vendorId}::uuid, ${eventType}, ${body}, ${occurredAt}::timestamptz
      where exists (select 1 from receivers)
      returning id, vendor_id, event_type
    ), deliveries as (
      insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type)
      select uuidv7(), stored.id, receivers.id, stored.vendor_id, stored.event_type
      from stored cross join receivers
      returning id, vendor_id, event_type
    )
    insert into outbox (kind, subject_id, input)
    select 'webhookDelivery', id, jsonb_build_object('vendorId', vendor_id, 'eventType', event_type)
    from deliveries`;
}
