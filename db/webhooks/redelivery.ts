import type { EventType } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';
import type { DeliveryState } from './webhook-deliveries.ts';
import { writeMessages } from '../outbox/write-messages.ts';

/** A locked delivery that may be redelivered. */
export type LockedDelivery = {
  readonly id: string;
  readonly subscriptionId: string;
  readonly vendorId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly isTest: boolean;
  /** Whether its subscription takes deliveries. */
  readonly isActive: boolean;
};

/**
 * Locks a delivery, and its subscription before it; null when there is none. A vendor names the
 * delivery by one of its attempts and one of its own subscriptions.
 */
export async function lockDelivery(
  sql: Queryable,
  which:
    | { readonly deliveryId: string }
    | { readonly attemptId: string; readonly subscriptionId: string; readonly vendorId: string },
): Promise<LockedDelivery | null> {
  const condition =
    'deliveryId' in which
      ? sql`delivery.id = ${which.deliveryId}`
      : sql`delivery.id = (
            select delivery_id from webhook_attempts where webhook_attempts.id = ${which.attemptId}
          )
          and delivery.subscription_id = ${which.subscriptionId}
          and delivery.vendor_id = ${which.vendorId}`;
  // Several statements: one that waits for a lock sees every other row as it was before the wait.
  const [found] = await sql<[{ id: string; subscriptionId: string }?]>`
    select delivery.id, delivery.subscription_id from webhook_deliveries as delivery
    where ${condition}`;
  if (found === undefined) return null;
  await sql`select from webhook_subscriptions where id = ${found.subscriptionId} for no key update`;
  await sql`select from webhook_deliveries where id = ${found.id} for no key update`;
  const [row] = await sql<LockedDelivery[]>`
    select delivery.id, delivery.subscription_id, delivery.vendor_id, delivery.event_id,
      delivery.event_type, delivery.state, delivery.attempts, delivery.is_test,
      subscription.is_active
    from webhook_deliveries as delivery join webhook_subscriptions as subscription
      on subscription.id = delivery.subscription_id
    where delivery.id = ${found.id}`;
  return row ?? null;
}

/** Gives a locked delivery a new retry schedule (D51): a message signals or starts its run. */
export async function redeliver(sql: Queryable, { id }: LockedDelivery): Promise<void> {
  await reschedule(sql, sql`select id from webhook_deliveries where id = ${id}`);
}

/**
 * Gives every dead letter of a locked subscription since an instant a new retry schedule;
 * returns their number.
 */
export async function recoverDeadLetters(
  sql: Queryable,
  { subscriptionId, since }: { readonly subscriptionId: string; readonly since: string },
): Promise<number> {
  return reschedule(
    sql,
    sql`select id from webhook_deliveries
      where subscription_id = ${subscriptionId} and state = 'deadLettered'
        and dead_lettered_at >= ${since}::text::timestamptz
      order by id for no key update`,
  );
}

/** The deliveries that one recovery of a vendor redelivers (D142). */
export const recoveredMax = 10_000;

/**
 * Gives deliveries of a locked subscription that ended undelivered since an instant a new retry
 * schedule, the oldest {@link recoveredMax} at most; returns their number (D142). A delivery that a
 * deactivation cancelled ended with its last attempt.
 */
export async function recoverUndelivered(
  sql: Queryable,
  {
    subscriptionId,
    since,
    state,
    eventTypes,
  }: {
    readonly subscriptionId: string;
    readonly since: string;
    /** Null for cancelled deliveries too. */
    readonly state: 'deadLettered' | null;
    /** Only deliveries of these types. */
    readonly eventTypes: readonly EventType[];
  },
): Promise<number> {
  const instant = sql`${since}::text::timestamptz`;
  const cancelled = sql`
    or state = 'cancelled' and exists (
      select from webhook_attempts as attempt
      where attempt.delivery_id = delivery.id and attempt.attempt_number = delivery.attempts
        and attempt.created_at >= ${instant}
    )`;
  return reschedule(
    sql,
    sql`select id from webhook_deliveries as delivery
      where subscription_id = ${subscriptionId} and event_type = any(${[...eventTypes]})
        and not is_test and state in ('deadLettered', 'cancelled') and (
          state = 'deadLettered' and dead_lettered_at >= ${instant}
          ${state === null ? cancelled : sql``}
        )
      order by id limit ${recoveredMax} for no key update`,
  );
}

async function reschedule(sql: Queryable, chosen: ReturnType<Queryable>): Promise<number> {
  const messages = writeMessages(sql, 'webhookDelivery', {
    from: sql`waiting`,
    payload: {
      signal: 'redeliver',
      vendorId: sql`vendor_id`,
      eventType: sql`event_type`,
      attempts: sql`attempts`,
    },
  });
  const [row] = await sql<[{ total: number }]>`
    with chosen as materialized (${chosen}),
    waiting as (
      update webhook_deliveries as delivery
      set state = 'waiting', batch_id = null, dead_lettered_at = null, next_attempt_at = null,
        epoch = subscription.epoch
      from chosen, webhook_subscriptions as subscription
      where delivery.id = chosen.id and subscription.id = delivery.subscription_id
      returning delivery.id, delivery.vendor_id, delivery.event_type, delivery.attempts
    )
    select count(*)::int as total, ${messages} as messages from waiting`;
  return row.total;
}
