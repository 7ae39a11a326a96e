import type { Fragment } from 'postgres';
import type { EventType } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';
import { offsetOf, type Page, type PageRequest } from '../lists/page.ts';

/** Where a delivery stands. `failed` is a sample's only: it is never dead-lettered (D66). */
export const deliveryStates = [
  'waiting',
  'succeeded',
  'deadLettered',
  'cancelled',
  'failed',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One event to one subscription, as operators list it. */
export type WebhookDelivery = {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly vendorId: string;
  readonly subscriptionId: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly isTest: boolean;
  /** Whether the result of its latest attempt is awaited. */
  readonly isUnderWay: boolean;
  readonly createdAt: Date;
  readonly deadLetteredAt: Date | null;
  /** The run that makes its first attempts together with others; null when it has one of its own. */
  readonly batchId: string | null;
  /** Whether its subscription takes deliveries, and why not. */
  readonly subscriptionIsActive: boolean;
  readonly inactiveReason: string | null;
};

export type DeliveryFilter = {
  readonly state: DeliveryState | null;
  readonly vendorId: string | null;
  readonly eventType: EventType | null;
};

const columns = (sql: Queryable): Fragment => sql`
  delivery.id, delivery.event_id, delivery.event_type, delivery.vendor_id, delivery.subscription_id, delivery.state,
  delivery.attempts, delivery.is_test, delivery.is_under_way, delivery.created_at, delivery.dead_lettered_at, delivery.batch_id,
  subscription.is_active as subscription_is_active, subscription.inactive_reason`;

/**
 * Newest first: ids are UUIDv7, so their order is that of their making. Those that have ended are counted by the kept totals, those
 * that wait, which are few or a trouble of their own, by their index.
 */
export async function listDeliveries(
  sql: Queryable,
  { state, vendorId, eventType }: DeliveryFilter,
  request: PageRequest,
): Promise<Page<WebhookDelivery>> {
  const more = sql`
    ${vendorId === null ? sql`` : sql`and vendor_id = ${vendorId}`}
    ${eventType === null ? sql`` : sql`and event_type = ${eventType}`}`;
  const [items, [count]] = await Promise.all([
    sql<WebhookDelivery[]>`
      with page as materialized (
        select * from webhook_deliveries
        where true ${state === null ? sql`` : sql`and state = ${state}`} ${more}
        order by id desc limit ${request.pageSize} offset ${offsetOf(request)}
      )
      select ${columns(sql)} from page as delivery join webhook_subscriptions as subscription
        on subscription.id = delivery.subscription_id
      order by delivery.id desc`,
    sql<[{ total: number }]>`
      select (
        (select coalesce(sum(delta), 0) from delivery_counts
          where true ${state === null ? sql`` : sql`and state = ${state}`} ${more})
        + (select count(*) from webhook_deliveries
          where state = 'waiting' and ${state === null || state === 'waiting'} ${more})
      )::int as total`,
  ]);
  return { items, totalCount: count.total };
}

export async function findDelivery(sql: Queryable, id: string): Promise<WebhookDelivery | null> {
  const [row] = await sql<WebhookDelivery[]>`
    select ${columns(sql)} from webhook_deliveries as delivery join webhook_subscriptions as subscription
      on subscription.id = delivery.subscription_id
    where delivery.id = ${id}`;
  return row ?? null;
}
