import type { Fragment } from 'postgres';
import type { Queryable, Sql } from '../core/client.ts';
import { writeMessages } from '../outbox/write-messages.ts';

/** Limits the work of one transaction, and the wait of others for it. */
const endedMax = 2000;

/**
 * Ends the chosen deliveries as `subscription_inactive` (D49), and sends a message to each run. A
 * deactivation ends some at once, and {@link cancelStaleDeliveries} the rest; until then an attempt
 * finds the later epoch of the subscription and does not start. An attempt under way continues: its
 * result finds the later epoch too. Returns how many it ended.
 */
async function endWaiting(sql: Queryable, chosen: Fragment): Promise<number> {
  const messages = writeMessages(sql, 'webhookDelivery', {
    from: sql`ended where batch_id is null`,
    payload: { signal: 'deactivated', vendorId: sql`vendor_id`, eventType: sql`event_type` },
    isLowPriority: true,
  });
  const [row] = await sql<[{ total: number }]>`
    with waiting as materialized (${chosen}),
    ended as (
      update webhook_deliveries as delivery
      set state = 'cancelled', attempts = delivery.attempts + 1
      from waiting where delivery.id = waiting.id
      returning delivery.id, delivery.vendor_id, delivery.subscription_id, delivery.event_type,
        delivery.event_id, delivery.attempts, delivery.batch_id
    ), attempt as (
      insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
        event_id, succeeded, error_summary, next_attempt_at, created_at)
      select uuidv7(), id, subscription_id, attempts, event_type, event_id, false,
        'subscription_inactive', clock_timestamp(), clock_timestamp()
      from ended
    )
    select count(*)::int as total, ${messages} as messages from ended`;
  return row.total;
}

/**
 * Ends the deliveries that deactivations have left. Reads the deliveries of a subscription until it
 * finds none, and marks it as settled. An attempt ends a delivery that appears later.
 */
export async function cancelStaleDeliveries(sql: Sql): Promise<void> {
  const unsettled = await sql<{ id: string; epoch: number }[]>`
    select id, epoch from webhook_subscriptions where settled_epoch < epoch`;
  for (const { id, epoch } of unsettled) {
    const stale = sql`subscription_id = ${id} and state = 'waiting' and epoch < ${epoch}`;
    const some = () =>
      endWaiting(
        sql,
        sql`select id from webhook_deliveries where ${stale} and not is_under_way
          order by id limit ${endedMax} for no key update skip locked`,
      );
    while ((await some()) === endedMax);
    await sql`
      update webhook_subscriptions set settled_epoch = ${epoch}
      where id = ${id} and not exists (select from webhook_deliveries where ${stale})`;
  }
}

/** A subscription to deactivate, and the reason that operators see. */
export type Deactivation = { readonly id: string; readonly reason: string };

/**
 * Makes subscriptions inactive, and ends their waiting deliveries. Call it in a transaction.
 * Returns the ids of those that were active.
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
  await endWaiting(
    sql,
    sql`select id from webhook_deliveries
      where subscription_id = any(${ids}::uuid[]) and state = 'waiting' and not is_under_way
      order by id limit ${endedMax} for no key update skip locked`,
  );
  return ids;
}
