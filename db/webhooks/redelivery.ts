import type { Fragment } from 'postgres';
import type { EventType } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';
import { firstOf, rowCountOf, valueOf } from '../core/rows.ts';
import type { WebhookDelivery } from './webhook-deliveries.ts';
import { writeMessages } from '../outbox/write-messages.ts';

/** A locked delivery that may be redelivered. */
export type LockedDelivery = Pick<
  WebhookDelivery,
  'id' | 'subscriptionId' | 'vendorId' | 'eventId' | 'eventType' | 'state' | 'attempts' | 'isTest'
> & {
  /** Whether its subscription takes deliveries. */
  readonly isActive: boolean;
  /** Whether it waits for a later attempt, which {@link redeliver} brings forward. */
  readonly waitsForLater: boolean;
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
  return firstOf(sql<LockedDelivery[]>`
    select delivery.id, delivery.subscription_id, delivery.vendor_id, delivery.event_id,
      delivery.event_type, delivery.state, delivery.attempts, delivery.is_test,
      subscription.is_active, coalesce(${waitsForLater(sql)}, false) as waits_for_later
    from webhook_deliveries as delivery join webhook_subscriptions as subscription
      on subscription.id = delivery.subscription_id
    where delivery.id = ${found.id}`);
}

/** Whether a delivery waits for an attempt that is not due yet, and not for its first one. */
const waitsForLater = (sql: Queryable): Fragment => sql`
  delivery.listed_state = 'waiting' and not delivery.is_under_way
    and delivery.next_attempt_at > clock_timestamp()`;

/**
 * Brings the next attempt of locked deliveries forward to now: their runs read the record again,
 * and keep the position in their retry schedules. Returns the number of deliveries.
 */
function bringForward(sql: Queryable, chosen: Fragment): Promise<number> {
  const messages = writeMessages(sql, 'webhookDelivery', {
    from: sql`due`,
    payload: { signal: 'changed', vendorId: sql`vendor_id`, eventType: sql`event_type` },
  });
  return valueOf(sql`
    with chosen as materialized (${chosen}),
    due as (
      update webhook_deliveries as delivery set next_attempt_at = clock_timestamp()
      from chosen where delivery.id = chosen.id
      returning delivery.id, delivery.vendor_id, delivery.event_type
    )
    select count(*)::int, ${messages} from due`);
}

/** Gives a locked delivery a new retry schedule, or makes an attempt due now that it waits for. */
export const redeliver = (sql: Queryable, { id, waitsForLater }: LockedDelivery): Promise<number> =>
  (waitsForLater ? bringForward : reschedule)(
    sql,
    sql`select id from webhook_deliveries where id = ${id}`,
  );

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
      where subscription_id = ${subscriptionId} and listed_state = 'deadLettered'
        and dead_lettered_at >= ${since}::text::timestamptz
      order by id for no key update`,
  );
}

/** The deliveries that one recovery of a vendor redelivers. */
export const recoveredMax = 10_000;

/** What a vendor recovers of one subscription. */
export type Recovery = {
  readonly subscriptionId: string;
  readonly vendorId: string;
  /** The real instant since which attempts were made. */
  readonly since: string;
  /** The same instant of the vendor's clock, since which events happened. */
  readonly occurredSince: string;
  /** Only deliveries of these types. */
  readonly eventTypes: readonly EventType[];
};

const ofRecovery = (sql: Queryable, { subscriptionId, eventTypes }: Recovery): Fragment => sql`
  delivery.subscription_id = ${subscriptionId}
  and delivery.event_type = any(${[...eventTypes]}) and not delivery.is_test`;

/** Of a delivery whose latest attempt was made at the instant or later. */
const attemptedSince = (sql: Queryable, since: string): Fragment => sql`exists (
  select from webhook_attempts as attempt
  where attempt.delivery_id = delivery.id and attempt.attempt_number = delivery.attempts
    -- The list of attempts shows when the request was sent, in milliseconds.
    and coalesce(attempt.sent_at, attempt.created_at) >= ${since}::text::timestamptz
)`;

/**
 * Gives deliveries of a locked subscription that ended undelivered since an instant a new retry
 * schedule, the oldest {@link recoveredMax} at most; returns their number. A delivery that a
 * deactivation cancelled ended with its last attempt.
 */
export async function recoverUndelivered(
  sql: Queryable,
  recovery: Recovery,
  { withCancelled }: { readonly withCancelled: boolean },
): Promise<number> {
  const { since } = recovery;
  const cancelled = sql`or listed_state = 'cancelled' and ${attemptedSince(sql, since)}`;
  return reschedule(
    sql,
    sql`select id from webhook_deliveries as delivery
      where ${ofRecovery(sql, recovery)} and listed_state in ('deadLettered', 'cancelled')
        and (
          listed_state = 'deadLettered' and dead_lettered_at >= ${since}::text::timestamptz
          ${withCancelled ? cancelled : sql``}
        )
      order by id limit ${recoveredMax} for no key update`,
  );
}

/**
 * Makes deliveries of a locked subscription due that wait for a later attempt after one since an
 * instant, the oldest {@link recoveredMax} at most; returns their number.
 */
export const recoverWaiting = (sql: Queryable, recovery: Recovery): Promise<number> =>
  bringForward(
    sql,
    sql`select id from webhook_deliveries as delivery
      where ${ofRecovery(sql, recovery)} and ${waitsForLater(sql)}
        and ${attemptedSince(sql, recovery.since)}
      order by id limit ${recoveredMax} for no key update`,
  );

/**
 * A query: when updates have last added types to a subscription, by type, which the audit log has.
 * Other types are those of its creation.
 */
const typesAdded = (sql: Queryable, subscriptionId: string): Fragment => sql`
  select event_type, max(at) as at
  from audit_log cross join jsonb_array_elements_text(after -> 'eventTypes') as event_type
  where subject_id = ${subscriptionId} and action = 'subscription.update'
    and not (before -> 'eventTypes') ? event_type
  group by event_type`;

/**
 * Makes deliveries of the events since an instant that a locked subscription has missed, because it
 * was inactive: the oldest {@link recoveredMax} at most; returns their number. Events about
 * the subscription's own failures, and those from before it was created or got their type, were
 * never meant for it.
 */
export function recoverMissed(sql: Queryable, recovery: Recovery): Promise<number> {
  const { subscriptionId, vendorId, occurredSince, eventTypes } = recovery;
  return rowCountOf(sql`
    with added as materialized (
      ${typesAdded(sql, subscriptionId)}
    ), made as (
      insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, epoch)
      select uuidv7(), event.id, subscription.id, event.vendor_id, event.event_type,
        subscription.epoch
      from webhook_subscriptions as subscription join webhook_events as event
        on event.vendor_id = subscription.vendor_id
        left join added on added.event_type = event.event_type
      where subscription.id = ${subscriptionId} and event.vendor_id = ${vendorId}
        and event.sequence is not null and event.event_type = any(${[...eventTypes]})
        and event.event_type = any(subscription.event_types)
        and event.occurred_at >= ${occurredSince}::text::timestamptz
        -- The id of an event has the real time at which it was made, in milliseconds.
        and uuid_extract_timestamp(substr(event.id, length('evt_') + 1)::uuid)
          >= date_trunc('milliseconds', coalesce(added.at, subscription.created_at))
        and not exists (
          select from webhook_deliveries as delivery
          where delivery.event_id = event.id and delivery.subscription_id = subscription.id
        )
        and strpos(event.body, '"subscriptionId":"' || subscription.id || '"') = 0
      order by event.sequence limit ${recoveredMax}
      returning id, subscription_id
    )
    insert into delivery_queue (subscription_id, due_at, delivery_id)
    select subscription_id, now(), id from made`);
}

const reschedule = (sql: Queryable, chosen: Fragment): Promise<number> =>
  rowCountOf(sql`
    with chosen as materialized (${chosen}),
    waiting as (
      update webhook_deliveries as delivery
      set state = 'waiting', batch_id = null, dead_lettered_at = null, next_attempt_at = null,
        epoch = subscription.epoch
      from chosen, webhook_subscriptions as subscription
      where delivery.id = chosen.id and subscription.id = delivery.subscription_id
      returning delivery.id, delivery.subscription_id
    )
    insert into delivery_queue (subscription_id, due_at, delivery_id)
    select subscription_id, now(), id from waiting`);
