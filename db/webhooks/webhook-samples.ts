import type { Queryable } from '../core/client.ts';
import { hasRows, valueOf } from '../core/rows.ts';
import type { NewEvent } from './webhook-events.ts';

/** A sample has no number among the vendor's events. */
const withoutSequence = (body: string): string => `${body.slice(0, -1)},"sequence":null}`;

/**
 * Stores a sample and its delivery, and queues that for its attempt. Returns the id of the
 * delivery. Call it with the subscription locked, so that a deactivation finds the delivery.
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
  return valueOf(sql`
    with delivery as (
      insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, is_test,
        epoch)
      select uuidv7(), ${id}, id, ${vendorId}::uuid, ${eventType}, true, epoch
      from webhook_subscriptions where id = ${subscriptionId}
      returning id, subscription_id
    )
    insert into delivery_queue (subscription_id, due_at, delivery_id)
    select subscription_id, now(), id from delivery returning delivery_id`);
}

/** Whether the sample has its result, or was cancelled. */
export const isSampleEnded = (sql: Queryable, deliveryId: string): Promise<boolean> =>
  hasRows(sql`select from webhook_deliveries where id = ${deliveryId} and state <> 'waiting'`);

/** Ends a sample whose caller has stopped waiting; false when its attempt has begun. */
export const cancelSample = (sql: Queryable, deliveryId: string): Promise<boolean> =>
  hasRows(sql`
    with unsent as (
      delete from delivery_queue as queue using webhook_deliveries as delivery
      where delivery.id = ${deliveryId} and is_test and state = 'waiting' and attempts = 0
        and queue.subscription_id = delivery.subscription_id
        and queue.delivery_id = delivery.id and leased_until is null
      returning queue.delivery_id
    )
    update webhook_deliveries set state = 'cancelled'
    from unsent where id = unsent.delivery_id
    returning id`);
