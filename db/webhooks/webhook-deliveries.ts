import type { Fragment } from 'postgres';
import type { EventType } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';
import { firstOf } from '../core/rows.ts';
import { readIdPage, type ItemSource, type ListSection } from '../lists/id-page.ts';
import { countRows, equalTo, type Page, type PageRequest } from '../lists/page.ts';
import { descending } from '../lists/sort-order.ts';
import { waitingDeliveries } from './delivery-queue.ts';
import { inAnyForm } from '../lists/compact-counters.ts';

/** `failed` is for samples only, which are never dead-lettered. */
export const deliveryStates = [
  'waiting',
  'succeeded',
  'deadLettered',
  'cancelled',
  'failed',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const deliveryTypes = {
  id: 'uuid',
  eventId: 'text',
  eventType: 'text',
  vendorId: 'uuid',
  subscriptionId: 'uuid',
  state: 'text',
  attempts: 'integer',
  isTest: 'boolean',
  /** Whether the result of its latest attempt is missing. */
  isUnderWay: 'boolean',
  createdAt: 'timestamptz',
  deadLetteredAt: 'timestamptz?',
  nextAttemptAt: 'timestamptz?',
  /** The delivery batch of an earlier version that made its first attempt. */
  batchId: 'uuid?',
} as const;
type DeliveryRow = RowOf<typeof deliveryTypes, { eventType: EventType; state: DeliveryState }>;
export const deliveryColumns = columnsOf<DeliveryRow>('webhook_deliveries', deliveryTypes);

/** One event to one subscription, as operators list it. */
export type WebhookDelivery = DeliveryRow & {
  /** Whether its subscription takes deliveries, and why not. */
  readonly subscriptionIsActive: boolean;
  readonly inactiveReason: string | null;
  readonly url: string;
  /** The latest attempt that has a result. */
  readonly lastHttpStatus: number | null;
  readonly lastErrorSummary: string | null;
  /** When a delivery that is no dead letter now was the last time one. */
  readonly recoveredFrom: Date | null;
};

/** Only deliveries with all of these; null for any. */
export type DeliveryFilter = {
  readonly state: DeliveryState | null;
  readonly vendorId: string | null;
  readonly eventType: EventType | null;
  readonly eventId: string | null;
  readonly subscriptionId: string | null;
  /** A delivery batch that the delivery was ever part of. */
  readonly batchId: string | null;
};

const sourceOf = (sql: Queryable): ItemSource => ({
  columns: sql`
    ${deliveryColumns.list(sql, 'delivery')},
    subscription.is_active as subscription_is_active, subscription.inactive_reason,
    subscription.url, attempt.http_status as last_http_status,
    attempt.error_summary as last_error_summary,
    case when delivery.state <> 'deadLettered' then (
      select max(dead_lettered_at) from webhook_attempts where delivery_id = delivery.id
    ) end as recovered_from`,
  tables: sql`
    webhook_deliveries as delivery
    join webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
    left join webhook_attempts as attempt on attempt.delivery_id = delivery.id
      and attempt.attempt_number = delivery.attempts - delivery.is_under_way::integer`,
  alias: sql`delivery`,
});

/**
 * Newest first: the order of UUIDv7. Kept totals count the deliveries that have ended; the waiting
 * ones, normally few, are counted each time. The deliveries of one event, subscription or delivery
 * batch are all counted from an index.
 */
export function listDeliveries(
  sql: Queryable,
  filter: DeliveryFilter,
  request: PageRequest,
): Promise<Page<WebhookDelivery>> {
  const { state, vendorId, eventType, eventId, subscriptionId, batchId } = filter;
  return readIdPage<WebhookDelivery>(sql, request, (parts) => {
    const more = equalTo(parts, { vendor_id: vendorId, event_type: eventType });
    const waiting = waitingDeliveries(parts, more, ofSubscriptions(parts, filter));
    const newest = descending('id');
    if (eventId !== null || batchId !== null || (subscriptionId !== null && state !== 'waiting')) {
      const inBatch =
        // An array, so that Postgres reads the members by their keys, in their order.
        batchId === null
          ? parts``
          : parts`and id = any(array(
              select unnest(delivery_ids) from webhook_delivery_batches where id = ${batchId}
            ))`;
      const rows = parts`webhook_deliveries where true
        ${equalTo(parts, { event_id: eventId, subscription_id: subscriptionId })}
        ${inBatch} ${inState(parts, state)} ${more}`;
      return [sourceOf(parts), { rows, order: newest }];
    }
    if (subscriptionId !== null) return [sourceOf(parts), { rows: waiting, order: newest }];
    const mayWait = state === null || state === 'waiting';
    const total = parts`
      select (
        select coalesce(sum(delta), 0) from delivery_counts
        where ${inAnyForm(parts)} ${equalTo(parts, { state })} ${more}
      ) + (${mayWait ? countRows(parts, waiting, request) : parts`select 0`})`;
    const listed = state === 'waiting' ? { rows: waiting, order: newest } : ordered(parts, filter);
    const section = { ...listed, total };
    // A section of its own, so that a page reads nothing after the last delivery of its total.
    return [sourceOf(parts), { ...section, sections: [section] }];
  });
}

/** The condition on the subscription, by which an index finds the rows of the queue. */
function ofSubscriptions(sql: Queryable, { subscriptionId, vendorId }: DeliveryFilter): Fragment {
  if (subscriptionId !== null) return sql`and subscription_id = ${subscriptionId}`;
  if (vendorId === null) return sql``;
  // An array, so that the index finds the rows of several subscriptions.
  return sql`and subscription_id = any(array(
    select id from webhook_subscriptions where vendor_id = ${vendorId}
  ))`;
}

/** The condition on the state; an index finds those that ended without success. */
export const inState = (sql: Queryable, state: DeliveryState | null): Fragment =>
  equalTo(sql, {
    [state === 'waiting' || state === 'succeeded' ? 'state' : 'listed_state']: state,
  });

/**
 * The deliveries in the order of an index that has few others. Arrays and the order by their
 * columns make Postgres use it: by the order of the ids alone it may read all deliveries.
 */
function ordered(
  sql: Queryable,
  { state, vendorId, eventType }: DeliveryFilter,
): Pick<ListSection, 'rows' | 'order'> {
  const isListed = state !== null && state !== 'succeeded';
  const ofState = isListed
    ? sql`and listed_state is not null and listed_state = any(array(select ${state}::text))`
    : equalTo(sql, { state });
  const ofVendor =
    vendorId === null ? sql`` : sql`and vendor_id = any(array(select ${vendorId}::uuid))`;
  return {
    rows: sql`webhook_deliveries where true ${ofVendor} ${ofState}
      ${equalTo(sql, { event_type: eventType })}`,
    order: descending(
      ...(vendorId === null ? [] : ['vendor_id']),
      ...(isListed ? ['listed_state'] : []),
      'id',
    ),
  };
}

/** A delivery, and what it waits for. */
export type FoundDelivery = WebhookDelivery & {
  /** It waits for the first attempt of a schedule, or a worker makes that attempt. */
  readonly isQueued: boolean;
  /** It waits for a retry whose time has come. */
  readonly isRetryDue: boolean;
};

export const findDelivery = (sql: Queryable, id: string): Promise<FoundDelivery | null> => {
  const { columns, tables } = sourceOf(sql);
  return firstOf(sql<FoundDelivery[]>`
    select ${columns}, delivery.state = 'waiting' and delivery.listed_state is null as is_queued,
      delivery.state = 'waiting' and not delivery.is_under_way
        and coalesce(delivery.next_attempt_at <= clock_timestamp(), false) as is_retry_due
    from ${tables} where delivery.id = ${id}`);
};
