import type { Queryable, Sql } from '../core/client.ts';
import { deactivateSubscriptions, type Deactivation } from './cancel-deliveries.ts';
import type { DeliveryState } from './webhook-deliveries.ts';

/** How an attempt ended, and with it, perhaps, the delivery. Instants are RFC 3339 text: a result may travel through a history. */
export type AttemptResult = {
  readonly deliveryId: string;
  readonly attemptNumber: number;
  /** Null when nothing was sent. */
  readonly sentAt: string | null;
  readonly succeeded: boolean;
  readonly httpStatus: number | null;
  readonly errorSummary: string | null;
  /** When the next attempt is due; at a terminal attempt, the instant of this one (D48). */
  readonly nextAttemptAt: string;
  readonly state: DeliveryState;
  /** The receiver answered 410: its subscription ends with this. */
  readonly isGone: boolean;
  readonly at: string;
};

/** When a subscription that fails becomes inactive by itself: nothing but failures for so long, and so many dead letters. */
export type FailureLimit = { readonly failingMs: number; readonly deadLetters: number };

export type RecordedAttempt = {
  readonly deliveryId: string;
  readonly attemptNumber: number;
  /** As it stands now: `cancelled` where it would wait but its subscription has become inactive meanwhile. */
  readonly state: DeliveryState;
  readonly subscriptionId: string;
  /** Whether the attempt speaks for the subscription as it is now: same URL, and not switched off since. */
  readonly isCurrent: boolean;
  readonly hasFailedTooLong: boolean;
};

/**
 * Records results, each once, with the deliveries' states and the subscriptions' last-delivery fields: one statement. What fails in
 * a dispatch goes on as a run of its own, whose message is part of the statement. Answers the deliveries it moved.
 */
export async function recordAttempts(
  sql: Sql,
  results: readonly AttemptResult[],
  limit: FailureLimit,
): Promise<readonly RecordedAttempt[]> {
  if (results.every(({ state }) => state !== 'deadLettered'))
    return storeResults(sql, results, limit);
  return sql.begin(async (transaction) => {
    const recorded = await storeResults(transaction, results, limit);
    const gone = new Set(
      results.filter(({ isGone }) => isGone).map(({ deliveryId }) => deliveryId),
    );
    const ended = recorded.flatMap(
      ({ deliveryId, subscriptionId, isCurrent, hasFailedTooLong }): Deactivation[] => {
        if (!isCurrent) return [];
        if (gone.has(deliveryId)) return [{ id: subscriptionId, reason: reasons.gone }];
        return hasFailedTooLong ? [{ id: subscriptionId, reason: reasons.failing }] : [];
      },
    );
    await deactivateSubscriptions(transaction, ended);
    return recorded;
  });
}

/** What operators read of a subscription that became inactive by itself. */
const reasons = {
  gone: 'The receiver answered 410 Gone.',
  failing: 'Nothing but failures for too long.',
} as const;

async function storeResults(
  sql: Queryable,
  results: readonly AttemptResult[],
  limit: FailureLimit,
): Promise<readonly RecordedAttempt[]> {
  const given = results.map((result) => ({
    delivery_id: result.deliveryId,
    attempt_number: result.attemptNumber,
    sent_at: result.sentAt,
    succeeded: result.succeeded,
    http_status: result.httpStatus,
    error_summary: result.errorSummary,
    next_attempt_at: result.nextAttemptAt,
    state: result.state,
    at: result.at,
  }));
  return sql<RecordedAttempt[]>`
    select * from record_attempts(${sql.json(given)}, ${limit.failingMs}, ${limit.deadLetters})`;
}
