import type { Queryable } from '../../core/client.ts';
import { firstOf } from '../../core/rows.ts';
import { attemptColumns, type DeliveryAttempt } from './attempt-list.ts';
import type { StoredAnswer } from './record-attempts.ts';

/** An attempt with the body that it sent and the receiver's answer. */
export type AttemptDetails = DeliveryAttempt & {
  /** The milliseconds from its start to its result; null without a request. */
  readonly durationMs: number | null;
  readonly sentBody: string;
  /** Null where none is stored. */
  readonly answer: StoredAnswer | null;
};

/** An attempt of a subscription; null for an unknown one. */
export const findAttemptDetails = (
  sql: Queryable,
  { id, subscriptionId }: { readonly id: string; readonly subscriptionId: string },
): Promise<AttemptDetails | null> =>
  firstOf(sql<AttemptDetails[]>`
    select ${attemptColumns.list(sql)}, webhook_attempts.duration_ms, event.body as sent_body,
      case when answer.attempt_id is not null then jsonb_build_object(
        'requestHeaders', answer.request_headers, 'headers', answer.headers, 'body', answer.body,
        'bodyBytes', answer.body_bytes
      ) end as answer
    from webhook_attempts
    join webhook_events as event on event.id = webhook_attempts.event_id
    left join webhook_answers as answer on answer.attempt_id = webhook_attempts.id
    where webhook_attempts.id = ${id} and webhook_attempts.subscription_id = ${subscriptionId}`);
