import type { EventType } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';
import { offsetOf, type Page, type PageRequest } from '../lists/page.ts';

/** One attempt as the vendor lists it (part 2, Delivery attempt). */
export type DeliveryAttempt = {
  readonly id: string;
  readonly eventType: EventType;
  readonly eventId: string;
  readonly attemptNumber: number;
  readonly httpStatus: number | null;
  readonly sentAt: Date | null;
  /** Null while the request is under way. */
  readonly succeeded: boolean | null;
  readonly errorSummary: string | null;
  readonly deadLetteredAt: Date | null;
  readonly nextAttemptAt: Date;
};

const columns = (sql: Queryable) => sql`
  attempt.id, attempt.event_type, attempt.event_id, attempt.attempt_number, attempt.http_status, attempt.sent_at,
  attempt.succeeded, attempt.error_summary, attempt.dead_lettered_at, attempt.next_attempt_at`;

/**
 * Every attempt at any event of one subscription, newest first. The page is found in the index alone, and the total is kept, so
 * that the first pages cost the same at a thousand and at a million attempts.
 */
export async function listAttempts(
  sql: Queryable,
  subscriptionId: string,
  request: PageRequest,
): Promise<Page<DeliveryAttempt>> {
  const [items, [count]] = await Promise.all([
    sql<DeliveryAttempt[]>`
      with page as materialized (
        select id, created_at from webhook_attempts where subscription_id = ${subscriptionId}
        order by created_at desc, id desc
        limit ${request.pageSize} offset ${offsetOf(request)}
      )
      select ${columns(sql)} from page join webhook_attempts as attempt using (id)
      order by page.created_at desc, page.id desc`,
    sql<[{ total: number }]>`
      select coalesce(sum(delta), 0)::int as total from attempt_counts where subscription_id = ${subscriptionId}`,
  ]);
  return { items, totalCount: count.total };
}

/** The latest attempt of a delivery; null when none was begun. */
export async function findLatestAttempt(
  sql: Queryable,
  deliveryId: string,
): Promise<DeliveryAttempt | null> {
  const [row] = await sql<DeliveryAttempt[]>`
    select ${columns(sql)} from webhook_attempts as attempt where delivery_id = ${deliveryId}
    order by attempt_number desc limit 1`;
  return row ?? null;
}
