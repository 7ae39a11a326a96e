import type { Queryable } from '../core/client.ts';
import { hasRows } from '../core/rows.ts';
import { writeMessages } from '../outbox/write-messages.ts';
import type { NewEvent } from './webhook-events.ts';

/** A sample has no number among the vendor's events. */
const withoutSequence = (body: string): string => `${body.slice(0, -1)},"sequence":null}`;

/**
 * Stores a sample, its delivery, and the message that asks for its attempt (D50). Returns the id of
 * the delivery. Call it with the subscription locked, so that a deactivation finds the delivery.
 */
export async function insertSample(
  sql: Queryable,
  event: NewEvent,
  subscriptionId: string,
): Promise<string> {
  const { id, vendorId, eventType, body, occurredAt, traceparent = null } = event;
  await sql`
    insert into webhook_events (id, vendor_id, event_type, body, occurred_at, traceparent)
    values (${id}, ${vendorId}, ${eventType}, ${withoutSequence(body)}, ${occurredAt}, ${traceparent})`;
  // Operators list deliveries by these ids, so one clock makes all of them.
  const [delivery] = await sql<[{ id: string }]>`
    insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, is_test,
      epoch)
    select uuidv7(), ${id}, id, ${vendorId}::uuid, ${eventType}, true, epoch
    from webhook_subscriptions where id = ${subscriptionId}
    returning id`;
  await sql`select ${writeMessages(sql, 'webhookDelivery', {
    from: sql`(select ${delivery.id}::uuid as id) as sample`,
    payload: { signal: 'start', vendorId, eventType },
  })}`;
  return delivery.id;
}

/** Whether the sample has its result, or was cancelled. */
export const isSampleEnded = (sql: Queryable, deliveryId: string): Promise<boolean> =>
  hasRows(sql`select from webhook_deliveries where id = ${deliveryId} and state <> 'waiting'`);

/** Ends a sample whose caller has stopped waiting; false when its attempt has begun. */
export async function cancelSample(sql: Queryable, deliveryId: string): Promise<boolean> {
  const rows = await sql`
    update webhook_deliveries set state = 'cancelled'
    where id = ${deliveryId} and is_test and state = 'waiting' and attempts = 0 and not is_under_way
    returning id`;
  return rows.length > 0;
}
