import type { Queryable } from './client.ts';

/**
 * Ends what waits at subscriptions, as `subscription_inactive` (D49), and tells the runs. An attempt under way is left to itself:
 * who records its result finds the subscription inactive. The subscriptions' rows must be locked, and inactive already.
 */
async function endWaitingDeliveries(sql: Queryable, subscriptionIds: readonly string[]): Promise<void> {
  await sql`
    with waiting as materialized (
      select id from webhook_deliveries
      where subscription_id = any(${[...subscriptionIds]}::uuid[]) and state = 'waiting' and not is_under_way
      order by id for no key update
    ), ended as (
      update webhook_deliveries as delivery set state = 'cancelled', attempts = delivery.attempts + 1
      from waiting where delivery.id = waiting.id
      returning delivery.id, delivery.vendor_id, delivery.subscription_id, delivery.event_type, delivery.event_id,
        delivery.attempts, delivery.dispatch_id
    ), attempt as (
      insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type, event_id, succeeded,
        error_summary, next_attempt_at, created_at)
      select uuidv7(), id, subscription_id, attempts, event_type, event_id, false, 'subscription_inactive',
        clock_timestamp(), clock_timestamp()
      from ended
    )
    insert into outbox (kind, subject_id, input, may_wait)
    select 'webhookDelivery', id,
      jsonb_build_object('vendorId', vendor_id, 'eventType', event_type, 'signal', 'deactivated'), true
    from ended where dispatch_id is null`;
}

/** A subscription that is to become inactive, and the reason that operators see. */
export type Deactivation = { readonly id: string; readonly reason: string };

/** Makes subscriptions inactive, and ends what waits at them. Within a transaction. */
export async function deactivateSubscriptions(
  sql: Queryable,
  deactivations: readonly Deactivation[],
): Promise<void> {
  if (deactivations.length === 0) return;
  const rows = await sql<{ id: string }[]>`
    update webhook_subscriptions as subscription set is_active = false, inactive_reason = given.reason
    from unnest(${deactivations.map(({ id }) => id)}::uuid[], ${deactivations.map(({ reason }) => reason)}::text[])
      as given (id, reason)
    where subscription.id = given.id and is_active
    returning subscription.id`;
  if (rows.length > 0)
    await endWaitingDeliveries(
      sql,
      rows.map(({ id }) => id),
    );
}
