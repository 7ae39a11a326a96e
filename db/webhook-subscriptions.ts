import type { EventType } from '../domain/events.ts';
import type { Queryable } from './client.ts';
import { offsetOf, type Page, type PageRequest } from './page.ts';

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

const columns = (sql: Queryable) => sql`
  id, vendor_id, url, event_types, is_active, last_delivery_at, last_delivery_status, created_at`;

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
  await sql`select 1 from vendors where id = ${vendorId} for no key update`;
  const [row] = await sql<WebhookSubscription[]>`
    insert into webhook_subscriptions (id, vendor_id, url, event_types, secret_sealed)
    select ${id}::uuid, ${vendorId}::uuid, ${url}, ${[...eventTypes]}::text[], ${Buffer.from(secretSealed)}::bytea
    where (select count(*) from webhook_subscriptions where vendor_id = ${vendorId} and is_active)
      < ${activeSubscriptionsMax}
    returning ${columns(sql)}`;
  return row ?? null;
}

/** A vendor's own subscription; null for an unknown one and for another vendor's alike. */
export async function findSubscription(
  sql: Queryable,
  vendorId: string,
  id: string,
): Promise<WebhookSubscription | null> {
  const [row] = await sql<WebhookSubscription[]>`
    select ${columns(sql)} from webhook_subscriptions where id = ${id} and vendor_id = ${vendorId}`;
  return row ?? null;
}

export async function listSubscriptions(
  sql: Queryable,
  vendorId: string,
  request: PageRequest,
): Promise<Page<WebhookSubscription>> {
  const [items, [count]] = await Promise.all([
    sql<WebhookSubscription[]>`
      select ${columns(sql)} from webhook_subscriptions where vendor_id = ${vendorId}
      order by created_at desc, id desc
      limit ${request.pageSize} offset ${offsetOf(request)}`,
    sql<[{ total: number }]>`
      select count(*)::int as total from webhook_subscriptions where vendor_id = ${vendorId}`,
  ]);
  return { items, totalCount: count.total };
}
