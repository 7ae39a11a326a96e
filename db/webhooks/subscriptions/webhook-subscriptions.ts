import type { Fragment } from 'postgres';
import type { EventType } from '../../../domain/webhooks/events.ts';
import { lockVendor } from '../../accounts/vendors.ts';
import type { Queryable } from '../../core/client.ts';
import { columnsOf, type RowOf } from '../../core/columns.ts';
import { firstOf, valueOf } from '../../core/rows.ts';
import { readIdPage, readNewest } from '../../lists/id-page.ts';
import { equalTo, type Page, type PageRequest } from '../../lists/page.ts';
import { descending } from '../../lists/sort-order.ts';

/** Active subscriptions a vendor may have (part 8). */
export const activeSubscriptionsMax = 5;
/** Subscriptions a vendor may have, active or not; deleted ones do not count. */
export const subscriptionsMax = 20;

export type LastDeliveryStatus = 'Success' | 'Failed' | 'DeadLettered';

const subscriptionTypes = {
  id: 'uuid',
  vendorId: 'uuid',
  url: 'text',
  eventTypes: 'text[]',
  isActive: 'boolean',
  lastDeliveryAt: 'timestamptz?',
  lastDeliveryStatus: 'text?',
  /** Names of custom headers, in lower case. */
  headerNames: 'text[]',
  createdAt: 'timestamptz',
} as const;
const recordTypes = {
  ...subscriptionTypes,
  inactiveReason: 'text?',
  /** The first failed attempt since the last success or activation. */
  failingSince: 'timestamptz?',
  /** The number of dead letters since then. */
  deadLetters: 'integer',
  deletedAt: 'timestamptz?',
} as const;
type Narrow = {
  eventTypes: readonly EventType[];
  lastDeliveryStatus: LastDeliveryStatus | null;
};

/** A subscription without its secret, which no read returns. */
export type WebhookSubscription = RowOf<typeof subscriptionTypes, Narrow>;
/** Custom headers as a subscription stores them; null without any. */
export type StoredHeaders = {
  readonly headerNames: readonly string[];
  readonly headersSealed: Uint8Array | null;
};
/** A subscription as operators see it. */
export type SubscriptionRecord = RowOf<typeof recordTypes, Narrow> & {
  /** Of the latest attempt that has a result. */
  readonly lastHttpStatus: number | null;
  readonly lastErrorSummary: string | null;
  /** Dead letters that no redelivery has taken up, {@link unrecoveredMax} at most. */
  readonly unrecovered: number;
};

/** Dead letters that a list counts for a subscription. */
export const unrecoveredMax = 1000;

export const subscriptionColumns = columnsOf<WebhookSubscription>(
  'webhook_subscriptions',
  subscriptionTypes,
);
export const subscriptionRecordColumns = columnsOf<RowOf<typeof recordTypes, Narrow>>(
  'webhook_subscriptions',
  recordTypes,
);

/** The columns of a {@link SubscriptionRecord} that other tables have. */
const healthColumns = (sql: Queryable) => sql`
  (latest.attempt).http_status as last_http_status,
  (latest.attempt).error_summary as last_error_summary, (
    select count(*)::int from (
      select from webhook_deliveries
      where subscription_id = webhook_subscriptions.id and listed_state = 'deadLettered'
      ${sql.unsafe(`limit ${unrecoveredMax}`)}
    ) as dead_letter
  ) as unrecovered`;

/**
 * The latest attempt of each subscription that has a result. An attempt that only ends a delivery
 * of an inactive subscription says nothing about the receiver. Thousands of them may follow the
 * last delivery at once, so the search begins at its time too, which a worker's clock has set.
 */
const latestAttempts = (sql: Queryable) => {
  const before = (tolerance: Fragment) => sql`(
    select attempt from webhook_attempts as attempt
    where attempt.subscription_id = webhook_subscriptions.id
      and attempt.created_at <= webhook_subscriptions.last_delivery_at ${tolerance}
    order by attempt.created_at desc, attempt.id desc limit 100
  )`;
  return sql`
    left join lateral (
      select attempt
      from (${before(sql`+ interval '1 second'`)} union all ${before(sql``)}) as recent
      where (attempt).succeeded is not null
        and (attempt).error_summary is distinct from 'subscription_inactive'
      order by (attempt).created_at desc limit 1
    ) as latest on true`;
};

/** The number of a vendor's active subscriptions; a deleted one is not active. */
export const activeCount = (sql: Queryable, vendorId: string) => sql`
  (select count(*) from webhook_subscriptions
    where vendor_id = ${vendorId} and is_active and deleted_at is null)`;

const totalCount = (sql: Queryable, vendorId: string) => sql`
  (select count(*) from webhook_subscriptions
    where vendor_id = ${vendorId} and deleted_at is null)`;

/** The limit that kept {@link insertSubscription} from storing one, in the same transaction. */
export async function reachedLimit(
  sql: Queryable,
  vendorId: string,
): Promise<'ACTIVE_LIMIT' | 'TOTAL_LIMIT'> {
  const isFull = await valueOf(sql`select ${totalCount(sql, vendorId)} >= ${subscriptionsMax}`);
  return isFull === true ? 'TOTAL_LIMIT' : 'ACTIVE_LIMIT';
}

const noHeaders: StoredHeaders = { headerNames: [], headersSealed: null };

/**
 * Stores a subscription; null when the vendor already has {@link activeSubscriptionsMax} active
 * ones or {@link subscriptionsMax} altogether. Call it in a transaction: it locks the vendor's row.
 */
export async function insertSubscription(
  sql: Queryable,
  subscription: Pick<WebhookSubscription, 'id' | 'vendorId' | 'url' | 'eventTypes'> & {
    readonly secretSealed: Uint8Array;
    readonly headers?: StoredHeaders;
  },
): Promise<WebhookSubscription | null> {
  const { id, vendorId, url, eventTypes, secretSealed } = subscription;
  const { headerNames, headersSealed } = subscription.headers ?? noHeaders;
  await lockVendor(sql, vendorId);
  return firstOf(sql<WebhookSubscription[]>`
    insert into webhook_subscriptions (id, vendor_id, url, event_types, secret_sealed, header_names,
      headers_sealed)
    select ${id}::uuid, ${vendorId}::uuid, ${url}, ${[...eventTypes]}::text[],
      ${secretSealed}::bytea, ${[...headerNames]}::text[], ${headersSealed}::bytea
    where ${activeCount(sql, vendorId)} < ${activeSubscriptionsMax}
      and ${totalCount(sql, vendorId)} < ${subscriptionsMax}
    returning ${subscriptionColumns.list(sql)}`);
}

const selectSubscription = (sql: Queryable, id: string, vendorId: string | null) => sql`
  select ${subscriptionColumns.list(sql)} from webhook_subscriptions
  where id = ${id} and deleted_at is null ${equalTo(sql, { vendor_id: vendorId })}`;

/** A vendor's own subscription; null for an unknown, a deleted and another vendor's one. */
export const findSubscription = (sql: Queryable, vendorId: string, id: string) =>
  firstOf(sql<WebhookSubscription[]>`${selectSubscription(sql, id, vendorId)}`);

/**
 * As {@link findSubscription}, locked until the transaction ends; without a vendor any vendor's.
 */
export const lockSubscription = (sql: Queryable, id: string, vendorId: string | null = null) =>
  firstOf(sql<WebhookSubscription[]>`${selectSubscription(sql, id, vendorId)} for no key update`);

/** A vendor's own subscriptions, newest first. */
export const listSubscriptions = (
  sql: Queryable,
  vendorId: string,
  request: PageRequest,
): Promise<Page<WebhookSubscription>> =>
  readNewest(sql, request, subscriptionColumns, (parts) => ({
    conditions: parts`and vendor_id = ${vendorId} and deleted_at is null`,
  }));

/** Every vendor's subscriptions, deleted ones included, newest first: the order of UUIDv7. */
export const listSubscriptionRecords = (
  sql: Queryable,
  {
    vendorId,
    ...is
  }: { readonly vendorId: string | null } & Readonly<
    Record<'isActive' | 'isDeleted', boolean | null>
  >,
  request: PageRequest,
): Promise<Page<SubscriptionRecord>> =>
  readIdPage<SubscriptionRecord>(sql, request, (parts) => {
    const rows = parts`
      webhook_subscriptions where true ${equalTo(parts, {
        vendor_id: vendorId,
        is_active: is.isActive,
        '(deleted_at is not null)': is.isDeleted,
      })}`;
    const alias = parts`webhook_subscriptions`;
    return [
      {
        columns: parts`${subscriptionRecordColumns.list(parts)}, ${healthColumns(parts)}`,
        tables: parts`${alias} ${latestAttempts(parts)}`,
        alias,
      },
      { rows, order: descending('id') },
    ];
  });
