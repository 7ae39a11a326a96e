import { v7 as uuidv7 } from 'uuid';
import { eventBody, type EventType } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';

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
  await sql`select emit_event(${id}, ${vendorId}, ${eventType}, ${body}, ${occurredAt})`;
}
