import type { Queryable } from '../../core/client.ts';
import { firstOf } from '../../core/rows.ts';
import { readIdPage, type ItemSource } from '../../lists/id-page.ts';
import type { PageRequest } from '../../lists/page.ts';
import { descending } from '../../lists/sort-order.ts';
import { attemptColumns, type DeliveryAttempt } from './attempt-list.ts';
import type { StoredResponse } from './record-attempts.ts';

/** An attempt with the body that it sent and the receiver's response. */
export type AttemptDetails = DeliveryAttempt & {
  /** The milliseconds from its start to its result; null without a request. */
  readonly durationMs: number | null;
  readonly sentBody: string;
  /** Null where none is stored. */
  readonly answer: StoredResponse | null;
};

const detailsOf = (sql: Queryable): ItemSource => ({
  columns: sql`
    ${attemptColumns.list(sql)}, webhook_attempts.duration_ms, event.body as sent_body,
    case when answer.attempt_id is not null then jsonb_build_object(
      'requestHeaders', answer.request_headers, 'headers', answer.headers, 'body', answer.body,
      'bodyBytes', answer.body_bytes
    ) end as answer`,
  tables: sql`
    webhook_attempts join webhook_events as event on event.id = webhook_attempts.event_id
    left join webhook_answers as answer on answer.attempt_id = webhook_attempts.id`,
  alias: sql`webhook_attempts`,
});

/** An attempt of a subscription; null for an unknown one. */
export function findAttemptDetails(
  sql: Queryable,
  { id, subscriptionId }: { readonly id: string; readonly subscriptionId: string },
): Promise<AttemptDetails | null> {
  const { columns, tables } = detailsOf(sql);
  return firstOf(sql<AttemptDetails[]>`
    select ${columns} from ${tables}
    where webhook_attempts.id = ${id} and webhook_attempts.subscription_id = ${subscriptionId}`);
}

/** The attempts of a delivery, the latest first. */
export const listAttemptDetails = (sql: Queryable, deliveryId: string, request: PageRequest) =>
  readIdPage<AttemptDetails>(sql, request, (parts) => {
    const rows = parts`webhook_attempts where delivery_id = ${deliveryId}`;
    const order = descending('attempt_number');
    return [detailsOf(parts), { rows, order }];
  });
