import type { Fragment } from 'postgres';
import type { Queryable, Sql } from '../core/client.ts';
import { valueOf } from '../core/rows.ts';
import { writeMessages } from '../outbox/write-messages.ts';
import { waitingDeliveries } from './delivery-queue.ts';

/** Limits the work of one transaction, and the wait of others for it. */
const endedMax = 2000;

/**
 * Ends deliveries of these subscriptions that wait, as `subscription_inactive`, and sends a
 * message to each run. A deactivation ends some at once, and {@link cancelStaleDeliveries} the
 * rest; until then an attempt finds the later epoch of the subscription and does not start. An
 * attempt under way continues: its result finds the later epoch too. Returns how many it ended.
 */
function endWaiting(
  sql: Queryable,
  subscriptionIds: readonly string[],
  condition: Fragment = sql``,
): Promise<number> {
  const messages = writeMessages(sql, 'webhookDelivery', {
    from: sql`ended where not was_queued`,
    payload: { signal: 'deactivated', vendorId: sql`vendor_id`, eventType: sql`event_type` },
    isLowPriority: true,
  });
  const waits = sql`delivery.state = 'waiting' and not delivery.is_under_way ${condition}`;
  return valueOf(sql`
    with unsent as materialized (
      select queue.* from unnest(${[...subscriptionIds]}::uuid[]) as of (id) cross join lateral (
        select queue.* from delivery_queue as queue
        join webhook_deliveries as delivery on delivery.id = queue.delivery_id
        where queue.subscription_id = of.id and queue.leased_until is null and ${waits}
        order by queue.subscription_id, queue.due_at, queue.delivery_id limit ${endedMax}
        for update of queue skip locked
      ) as queue
    ), queued as materialized (
      select delivery.id, unsent.subscription_id, unsent.due_at
      from unsent join webhook_deliveries as delivery on delivery.id = unsent.delivery_id
      where ${waits}
      order by delivery.id for no key update of delivery skip locked
    ), of_run as materialized (
      select delivery.id from webhook_deliveries as delivery
      where delivery.subscription_id = any(${[...subscriptionIds]}::uuid[])
        and delivery.listed_state = 'waiting' and ${waits}
      order by delivery.id limit (select ${endedMax} - count(*) from queued)
      for no key update skip locked
    ), waiting as (
      select id, true as was_queued from queued union all select id, false from of_run
    ), left_queue as (
      delete from delivery_queue as queue using queued
      where queue.subscription_id = queued.subscription_id and queue.due_at = queued.due_at
        and queue.delivery_id = queued.id
    ),
    ended as (
      update webhook_deliveries as delivery
      set state = 'cancelled', attempts = delivery.attempts + 1
      from waiting where delivery.id = waiting.id
      returning delivery.id, delivery.vendor_id, delivery.subscription_id, delivery.event_type,
        delivery.event_id, delivery.attempts, waiting.was_queued
    ), attempt as (
      insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
        event_id, succeeded, error_summary, next_attempt_at, created_at)
      select uuidv7(), id, subscription_id, attempts, event_type, event_id, false,
        'subscription_inactive', clock_timestamp(), clock_timestamp()
      from ended
    )
    select count(*)::int, ${messages} from ended`);
}

/**
 * Ends the deliveries that deactivations have left. Reads the deliveries of a subscription until it
 * finds none, and marks it as settled. An attempt ends a delivery that appears later.
 */
export async function cancelStaleDeliveries(sql: Sql): Promise<void> {
  const unsettled = await sql<{ id: string; epoch: number }[]>`
    select id, epoch from webhook_subscriptions where settled_epoch < epoch`;
  for (const { id, epoch } of unsettled) {
    const isStale = sql`and delivery.epoch < ${epoch}`;
    while ((await endWaiting(sql, [id], isStale)) === endedMax);
    await sql`
      update webhook_subscriptions set settled_epoch = ${epoch}
      where id = ${id} and not exists (
        select from ${waitingDeliveries(sql, sql`and epoch < ${epoch}`, sql`and subscription_id = ${id}`)}
      )`;
  }
}

/** A subscription to deactivate, and the reason that operators see. */
export type Deactivation = { readonly id: string; readonly reason: string };

/**
 * Makes subscriptions inactive, and ends their waiting deliveries. Call it in a transaction.
 * Returns the ids of the subscriptions that were active.
 */
export async function deactivateSubscriptions(
  sql: Queryable,
  deactivations: readonly Deactivation[],
): Promise<readonly string[]> {
  if (deactivations.length === 0) return [];
  const rows = await sql<{ id: string }[]>`
    update webhook_subscriptions as subscription
    set is_active = false, inactive_reason = input.reason, epoch = subscription.epoch + 1
    from unnest(${deactivations.map(({ id }) => id)}::uuid[],
      ${deactivations.map(({ reason }) => reason)}::text[])
      as input (id, reason)
    where subscription.id = input.id and is_active
    returning subscription.id`;
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return ids;
  await endWaiting(sql, ids);
  return ids;
}
