import type { EventType } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';
import { firstOf } from '../core/rows.ts';
import { readIdPage, type ItemSource } from '../lists/id-page.ts';
import type { Page, PageRequest } from '../lists/page.ts';

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

/** The attempts of one subscription, newest first. */
export const listAttempts = (
  sql: Queryable,
  subscriptionId: string,
  request: PageRequest,
): Promise<Page<DeliveryAttempt>> =>
  readIdPage<DeliveryAttempt>(sql, request, (parts) => [
    attemptSource(parts),
    {
      rows: parts`webhook_attempts where subscription_id = ${subscriptionId}`,
      order: [
        [parts`created_at`, 'desc'],
        [parts`id`, 'desc'],
      ],
      total: parts`
        select coalesce(sum(delta), 0) from attempt_counts where subscription_id = ${subscriptionId}`,
    },
  ]);

const attemptSource = (sql: Queryable): ItemSource => ({
  columns: attemptColumns.list(sql),
  tables: sql`webhook_attempts`,
  alias: sql`webhook_attempts`,
});

/** The latest attempt of a delivery; null when it has none. */
export const findLatestAttempt = (
  sql: Queryable,
  deliveryId: string,
): Promise<DeliveryAttempt | null> =>
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
