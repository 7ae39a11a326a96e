import { v7 as uuidv7 } from 'uuid';
import { eventBody, type EventType } from '../../domain/webhooks/events.ts';
import { currentTraceparent } from '../../process/tracing/trace-context.ts';
import type { Queryable } from '../core/client.ts';
import { toDatabaseNames } from '../core/columns.ts';

/** `body` is the text that is sent and signed, without the `sequence` that the database appends. */
export type NewEvent = {
  readonly id: string;
  readonly vendorId: string;
  readonly eventType: EventType;
  readonly body: string;
  readonly occurredAt: Date;
  /** A subscription that does not get the event, because the event is about it. */
  readonly excludedSubscriptionId?: string;
  /** Of the request that made the event; null or absent without tracing. */
  readonly traceparent?: string | null;
};

/** Gives an event its id and its body. */
export function newEvent({
  data,
  test = false,
  ...rest
}: Pick<NewEvent, 'eventType' | 'vendorId' | 'occurredAt' | 'excludedSubscriptionId'> & {
  readonly data: object;
  readonly test?: boolean;
}): NewEvent {
  const id = `evt_${uuidv7()}`;
  const body = eventBody({
    eventId: id,
    eventType: rest.eventType,
    occurredAt: rest.occurredAt.toISOString(),
    vendorId: rest.vendorId,
    test,
    data,
  });
  return { id, ...rest, body, traceparent: currentTraceparent() };
}

/**
 * Stores events with the vendors' next numbers, a delivery for each active subscription to their
 * types, and the message to each delivery's workflow, in the transaction of the change that they
 * report. Call it once in a transaction, before the change gets its change time.
 */
export async function emitEvents(sql: Queryable, ...events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await sql`select emit_events(${sql.json(events.map(toDatabaseNames))})`;
}
