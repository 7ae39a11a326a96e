import type { EventType } from '../domain/events.ts';
import type { Queryable } from './client.ts';
import { offsetOf, type Page, type PageRequest } from './page.ts';
import type { DeliveryState } from './webhook-attempts.ts';

/** One event to one subscription, as operators list it. */
export type WebhookDelivery = {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly vendorId: string;
  readonly subscriptionId: string;
  readonly state: DeliveryState;
  readonly createdAt: Date;
};

export type DeliveryFilter = {
  readonly state: DeliveryState | null;
  readonly vendorId: string | null;
  readonly eventType: EventType | null;
};

/** Newest first: ids are UUIDv7, so their order is that of their making. */
export async function listDeliveries(
  sql: Queryable,
  { state, vendorId, eventType }: DeliveryFilter,
  request: PageRequest,
): Promise<Page<WebhookDelivery>> {
  const where = sql`
    where true
      ${state === null ? sql`` : sql`and state = ${state}`}
      ${vendorId === null ? sql`` : sql`and vendor_id = ${vendorId}`}
      ${eventType === null ? sql`` : sql`and event_type = ${eventType}`}`;
  const [items, [count]] = await Promise.all([
    sql<WebhookDelivery[]>`
      select id, event_id, event_type, vendor_id, subscription_id, state, created_at
      from webhook_deliveries ${where}
      order by id desc limit ${request.pageSize} offset ${offsetOf(request)}`,
    sql<[{ total: number }]>`select count(*)::int as total from webhook_deliveries ${where}`,
  ]);
  return { items, totalCount: count.total };
}
