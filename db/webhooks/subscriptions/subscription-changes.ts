import type { EventType } from '../../../domain/webhooks/events.ts';
import { lockVendor } from '../../accounts/vendors.ts';
import type { Queryable } from '../../core/client.ts';
import { hasRows } from '../../core/rows.ts';
import { deactivateSubscriptions } from '../cancel-deliveries.ts';
import { waitingDeliveries } from '../delivery-queue.ts';
import {
  activeCount,
  activeSubscriptionsMax,
  lockSubscription,
  type StoredHeaders,
  type WebhookSubscription,
} from './webhook-subscriptions.ts';

// Every transaction locks the row of the vendor, then of the subscription, then of its deliveries.

/**
 * `unchanged`: the subscription was so before. `none`: the vendor has no such subscription.
 * `limit`: it has the maximum of active ones.
 */
export type SwitchOutcome = 'done' | 'unchanged' | 'none' | 'limit';

/** Stores a locked subscription's URL and event types, and new custom headers. */
export async function storeSubscription(
  sql: Queryable,
  changed: WebhookSubscription,
  headers: StoredHeaders | null = null,
): Promise<void> {
  const { id, url, eventTypes } = changed;
  const withHeaders =
    headers === null
      ? sql``
      : sql`, header_names = ${[...headers.headerNames]}::text[],
          headers_sealed = ${headers.headersSealed}`;
  await sql`
    update webhook_subscriptions set url = ${url}, event_types = ${[...eventTypes]}::text[],
      -- Another URL resets the failure counters.
      url_changed_at = case when url = ${url} then url_changed_at else clock_timestamp() end,
      failing_since = case when url = ${url} then failing_since end,
      dead_letters = case when url = ${url} then dead_letters else 0 end ${withHeaders}
    where id = ${id}`;
}

/** Makes a subscription active and resets its failure counters, in a transaction. */
export async function activateSubscription(
  sql: Queryable,
  vendorId: string,
  id: string,
): Promise<SwitchOutcome> {
  // Concurrent activations count one after another.
  await lockVendor(sql, vendorId);
  const found = await lockSubscription(sql, id, vendorId);
  if (found === null) return 'none';
  if (found.isActive) return 'unchanged';
  const isActivated = await hasRows(sql`
    update webhook_subscriptions
    set is_active = true, inactive_reason = null, failing_since = null, dead_letters = 0
    where id = ${id} and ${activeCount(sql, vendorId)} < ${activeSubscriptionsMax} returning id`);
  return isActivated ? 'done' : 'limit';
}

/** Makes a subscription inactive, which ends its waiting deliveries, in a transaction. */
export async function switchOffSubscription(
  sql: Queryable,
  vendorId: string,
  id: string,
): Promise<SwitchOutcome> {
  const found = await lockSubscription(sql, id, vendorId);
  if (found === null) return 'none';
  await deactivateSubscriptions(sql, [{ id, reason: 'Switched off by the vendor.' }]);
  return found.isActive ? 'done' : 'unchanged';
}

/** Hides a subscription from its vendor, and deletes its secrets; operators still see the row. */
export async function deleteSubscription(
  sql: Queryable,
  vendorId: string,
  id: string,
): Promise<SwitchOutcome> {
  if ((await lockSubscription(sql, id, vendorId)) === null) return 'none';
  const reason = 'Deleted by the vendor.';
  await deactivateSubscriptions(sql, [{ id, reason }]);
  await sql`
    update webhook_subscriptions
    set deleted_at = clock_timestamp(), inactive_reason = ${reason}, secret_sealed = ''::bytea,
      headers_sealed = null
    where id = ${id}`;
  return 'done';
}

/** Replaces a subscription's secret for its next attempt. */
export async function replaceSecret(
  sql: Queryable,
  vendorId: string,
  { id, secretSealed }: { readonly id: string; readonly secretSealed: Uint8Array },
): Promise<SwitchOutcome> {
  const isReplaced = await hasRows(sql`
    update webhook_subscriptions set secret_sealed = ${secretSealed}
    where id = ${id} and vendor_id = ${vendorId} and deleted_at is null returning id`);
  return isReplaced ? 'done' : 'none';
}

/**
 * Returns which of the types have events that the subscription can still receive: their deliveries
 * wait, or are dead letters, which an operator may recover. Samples do not count. In a transaction
 * that has locked the subscription, no event of a removed type is added later.
 */
export async function undeliveredTypes(
  sql: Queryable,
  { id, vendorId }: Pick<WebhookSubscription, 'id' | 'vendorId'>,
  among: readonly EventType[],
): Promise<readonly EventType[]> {
  if (among.length === 0) return [];
  // Waits for transactions that read the event types before the lock on the subscription. The next
  // statement sees their deliveries.
  await sql`select lock_event_sequence(${vendorId})`;
  const ofType = sql`and event_type = input.event_type and not is_test`;
  const rows = await sql<{ eventType: EventType }[]>`
    select input.event_type from unnest(${[...among]}::text[]) as input (event_type)
    where exists (
      select from webhook_deliveries
      where subscription_id = ${id} and listed_state = 'deadLettered' ${ofType}
    ) or exists (select from ${waitingDeliveries(sql, ofType, sql`and subscription_id = ${id}`)})`;
  return rows.map(({ eventType }) => eventType);
}
