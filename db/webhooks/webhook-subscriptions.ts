import type { EventType } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';
import { offsetOf, type Page, type PageRequest } from '../lists/page.ts';

/** Active subscriptions a vendor may have (part 8). */
export const activeSubscriptionsMax = 5;

export type LastDeliveryStatus = 'Success' | 'Failed' | 'DeadLettered';

/** A subscription without its secret, which no read returns. */
export type WebhookSubscription = {
  readonly id: string;
  readonly vendorId: string;
  readonly url: string;
  readonly eventTypes: readonly EventType[];
  readonly isActive: boolean;
  readonly lastDeliveryAt: Date | null;
  readonly lastDeliveryStatus: LastDeliveryStatus | null;
  readonly createdAt: Date;
};

/** What operators see besides. */
export type SubscriptionRecord = WebhookSubscription & {
  readonly inactiveReason: string | null;
  /** The first failed attempt, and the deliveries given up, since the last success or activation. */
  readonly failingSince: Date | null;
  readonly deadLetters: number;
  readonly deletedAt: Date | null;
};

const columns = (sql: Queryable) => sql`
  id, vendor_id, url, event_types, is_active, last_delivery_at, last_delivery_status, created_at`;

/** Locks a vendor's row: of those who would make a subscription active, one counts at a time. */
export async function lockActiveCount(sql: Queryable, vendorId: string): Promise<void> {
  await sql`select from vendors where id = ${vendorId} for no key update`;
}

/** How many subscriptions of a vendor are active; a deleted one never is. */
export const activeCount = (sql: Queryable, vendorId: string) => sql`
  (select count(*) from webhook_subscriptions where vendor_id = ${vendorId} and is_active and deleted_at is null)`;

/**
 * Stores a subscription; null when the vendor already has {@link activeSubscriptionsMax} active ones. To be called in
 * a transaction: the vendor's row is locked, so that two creations at once cannot both be the fifth.
 */
export async function insertSubscription(
  sql: Queryable,
  subscription: {
    readonly id: string;
    readonly vendorId: string;
    readonly url: string;
    readonly eventTypes: readonly EventType[];
    readonly secretSealed: Uint8Array;
  },
): Promise<WebhookSubscription | null> {
  const { id, vendorId, url, eventTypes, secretSealed } = subscription;
  await lockActiveCount(sql, vendorId);
  const [row] = await sql<WebhookSubscription[]>`
    insert into webhook_subscriptions (id, vendor_id, url, event_types, secret_sealed)
    select ${id}::uuid, ${vendorId}::uuid, ${url}, ${[...eventTypes]}::text[], ${Buffer.from(secretSealed)}::bytea
    where ${activeCount(sql, vendorId)} < ${activeSubscriptionsMax}
    returning ${columns(sql)}`;
  return row ?? null;
}

/** A vendor's own subscription; null for an unknown one, a deleted one and another vendor's alike. */
export async function findSubscription(
  sql: Queryable,
  vendorId: string,
  id: string,
): Promise<WebhookSubscription | null> {
  const [row] = await sql<WebhookSubscription[]>`
    select ${columns(sql)} from webhook_subscriptions
    where id = ${id} and vendor_id = ${vendorId} and deleted_at is null`;
  return row ?? null;
}

/** The same, locked until the transaction ends. Without a vendor: anybody's, for operators. */
export async function lockSubscription(
  sql: Queryable,
  id: string,
  vendorId?: string,
): Promise<WebhookSubscription | null> {
  const [row] = await sql<WebhookSubscription[]>`
    select ${columns(sql)} from webhook_subscriptions
    where id = ${id} and deleted_at is null ${vendorId === undefined ? sql`` : sql`and vendor_id = ${vendorId}`}
    for no key update`;
  return row ?? null;
}

export async function listSubscriptions(
  sql: Queryable,
  vendorId: string,
  request: PageRequest,
): Promise<Page<WebhookSubscription>> {
  const where = sql`where vendor_id = ${vendorId} and deleted_at is null`;
  const [items, [count]] = await Promise.all([
    sql<WebhookSubscription[]>`
      select ${columns(sql)} from webhook_subscriptions ${where}
      order by created_at desc, id desc
      limit ${request.pageSize} offset ${offsetOf(request)}`,
    sql<[{ total: number }]>`select count(*)::int as total from webhook_subscriptions ${where}`,
  ]);
  return { items, totalCount: count.total };
}

/** Every vendor's, deleted ones included, newest first: ids are UUIDv7, so their order is that of their making. */
export async function listSubscriptionRecords(
  sql: Queryable,
  { vendorId, isActive }: { readonly vendorId: string | null; readonly isActive: boolean | null },
  request: PageRequest,
): Promise<Page<SubscriptionRecord>> {
  const where = sql`
    where true
      ${vendorId === null ? sql`` : sql`and vendor_id = ${vendorId}`}
      ${isActive === null ? sql`` : sql`and is_active = ${isActive}`}`;
  const [items, [count]] = await Promise.all([
    sql<SubscriptionRecord[]>`
      select ${columns(sql)}, inactive_reason, failing_since, dead_letters, deleted_at
      from webhook_subscriptions ${where} order by id desc
      limit ${request.pageSize} offset ${offsetOf(request)}`,
    sql<[{ total: number }]>`select count(*)::int as total from webhook_subscriptions ${where}`,
  ]);
  return { items, totalCount: count.total };
}
