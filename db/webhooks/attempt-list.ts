import type { EventType } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';
import { firstOf } from '../core/rows.ts';
import { limitOf, readPage, type Page, type PageRequest } from '../lists/page.ts';

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
} as const;

/** One attempt as the vendor lists it (part 2, Delivery attempt). */
export type DeliveryAttempt = RowOf<typeof attemptTypes, { eventType: EventType }>;
export const attemptColumns = columnsOf<DeliveryAttempt>('webhook_attempts', attemptTypes);

/**
 * The attempts of one subscription, newest first. The index alone finds the page, and the total is
 * kept, so the first pages cost the same at a thousand and at a million attempts.
 */
export const listAttempts = (
  sql: Queryable,
  subscriptionId: string,
  request: PageRequest,
): Promise<Page<DeliveryAttempt>> =>
  readPage(sql, {
    items: sql`
      with page as materialized (
        select id, created_at from webhook_attempts where subscription_id = ${subscriptionId}
        order by created_at desc, id desc ${limitOf(sql, request)}
      )
      select ${attemptColumns.list(sql)} from page join webhook_attempts using (id)
      order by page.created_at desc, page.id desc`,
    total: sql`
      select coalesce(sum(delta), 0) from attempt_counts where subscription_id = ${subscriptionId}`,
  });

/** The latest attempt of a delivery; null when it has none. */
export const findLatestAttempt = (
  sql: Queryable,
  deliveryId: string,
): Promise<DeliveryAttempt | null> =>
  firstOf(sql<DeliveryAttempt[]>`
    select ${attemptColumns.list(sql)} from webhook_attempts where delivery_id = ${deliveryId}
    order by attempt_number desc limit 1`);
