import { v7 as uuidv7 } from 'uuid';
import { eventBody, type EventType } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';

/** `body` is the exact text that is sent and signed. */
export type NewEvent = {
  readonly id: string;
  readonly vendorId: string;
  readonly eventType: EventType;
  readonly body: string;
  readonly occurredAt: Date;
};

/** Gives an event its id and its body. */
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

/** An event as emit_events and insert_orders of the database take it. */
export const eventRow = ({ id, vendorId, eventType, body, occurredAt }: NewEvent) => ({
  id,
  vendor_id: vendorId,
  event_type: eventType,
  body,
  occurred_at: occurredAt,
});

/**
 * Stores an event, a delivery for each active subscription to its type, and the message to each
 * delivery's workflow, in the transaction of the change that it reports (D47). Without a
 * subscription it stores nothing.
 */
export async function emitEvent(sql: Queryable, event: NewEvent): Promise<void> {
  await sql`select emit_events(${sql.json([eventRow(event)])})`;
}
