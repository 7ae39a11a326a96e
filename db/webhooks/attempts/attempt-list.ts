import type { Fragment } from 'postgres';
import type { EventType } from '../../../domain/webhooks/events.ts';
import type { Queryable } from '../../core/client.ts';
import { columnsOf, type RowOf } from '../../core/columns.ts';
import { firstOf } from '../../core/rows.ts';
import { readNewest } from '../../lists/id-page.ts';
import { between, equalTo, type Page, type PageRequest } from '../../lists/page.ts';
import { waitingDeliveries } from '../delivery-queue.ts';
import { inState, type DeliveryState } from '../webhook-deliveries.ts';
import { inAnyForm } from '../../lists/compact-counters.ts';

const attemptTypes = {
  id: 'uuid',
  eventType: 'text',
  eventId: 'text',
  attemptNumber: 'integer',
  httpStatus: 'integer?',
  sentAt: 'timestamptz?',
  /** Null while the request is under way. */
  succeeded: 'boolean?',
  errorSummary: 'text?',
  deadLetteredAt: 'timestamptz?',
  nextAttemptAt: 'timestamptz',
  /** By the vendor's clock; null unless that has moved since. */
  dueByClock: 'timestamptz?',
} as const;

/** One attempt as the vendor lists it (part 2, Delivery attempt). */
export type DeliveryAttempt = RowOf<typeof attemptTypes, { eventType: EventType }>;
export const attemptColumns = columnsOf<DeliveryAttempt>('webhook_attempts', attemptTypes);

/** Only attempts with all of these; null for any. */
export type AttemptFilter = {
  /** The present state of the attempt's delivery. */
  readonly state: DeliveryState | null;
  readonly eventType: EventType | null;
  readonly eventId: string | null;
  /** RFC 3339 text, both inclusive: when the attempt began. */
  readonly from: string | null;
  readonly to: string | null;
};

/** A filter that every attempt passes. */
export const anyAttempt: AttemptFilter = {
  state: null,
  eventType: null,
  eventId: null,
  from: null,
  to: null,
};

/**
 * The attempts of one subscription, newest first. A kept total counts them; those that pass a
 * filter are counted from its index.
 */
export const listAttempts = (
  sql: Queryable,
  subscriptionId: string,
  request: PageRequest,
  filter: AttemptFilter = anyAttempt,
): Promise<Page<DeliveryAttempt>> =>
  readNewest(sql, request, attemptColumns, (parts) => {
    const conditions = parts`
      and subscription_id = ${subscriptionId} ${equalTo(parts, { event_type: filter.eventType })}
      ${ofDeliveries(parts, subscriptionId, filter)}
      ${begunBetween(parts, filter)}`;
    if (Object.values(filter).some((value) => value !== null)) return { conditions };
    const total = parts`
      select coalesce(sum(delta), 0) from (
        select delta from attempt_counts
        where ${inAnyForm(parts)} and subscription_id = ${subscriptionId}
        union all
        -- Of successes, until a compaction. The index of the counts has the vendor.
        select attempts from delivery_counts
        where not is_compacted and state = 'succeeded' and subscription_id = ${subscriptionId}
          and vendor_id = (select vendor_id from webhook_subscriptions where id = ${subscriptionId})
      ) as counts`;
    return { conditions, total };
  });

/**
 * The condition on when attempts began, as the list shows it: in milliseconds, and, once the
 * request is sent, by `sent_at`. `created_at`, which an index has, is microseconds to seconds
 * earlier.
 */
const begunBetween = (sql: Queryable, { from, to }: AttemptFilter): Fragment => sql`
  ${between(sql, `date_trunc('milliseconds', coalesce(sent_at, created_at))`, from, to)}
  ${from === null ? sql`` : sql`and created_at >= ${from}::text::timestamptz - interval '1 minute'`}
  ${to === null ? sql`` : sql`and created_at < ${to}::text::timestamptz + interval '1 millisecond'`}`;

/** The condition on the deliveries of attempts. */
function ofDeliveries(
  sql: Queryable,
  subscriptionId: string,
  { state, eventId }: AttemptFilter,
): Fragment {
  if (state === null && eventId === null) return sql``;
  const ofEvent = equalTo(sql, { event_id: eventId });
  return state === 'waiting'
    ? sql`and delivery_id in (
        select id from ${waitingDeliveries(sql, ofEvent, sql`and subscription_id = ${subscriptionId}`)})`
    : sql`and delivery_id in (
        select id from webhook_deliveries
        where subscription_id = ${subscriptionId} ${inState(sql, state)} ${ofEvent})`;
}

/** The latest attempt of a delivery; null when it has none. */
export const findLatestAttempt = (sql: Queryable, deliveryId: string) =>
  firstOf(sql<DeliveryAttempt[]>`
    select ${attemptColumns.list(sql)} from webhook_attempts where delivery_id = ${deliveryId}
    order by attempt_number desc limit 1`);

/** All attempts of deliveries, in their order. */
export const listAttemptsOf = async (
  sql: Queryable,
  deliveryIds: readonly string[],
): Promise<readonly DeliveryAttempt[]> =>
  sql<DeliveryAttempt[]>`
    select ${attemptColumns.list(sql)} from webhook_attempts
    where delivery_id = any(${[...deliveryIds]}::uuid[]) order by delivery_id, attempt_number`;
