import type { DisabledReason } from '../../../domain/webhooks/events.ts';
import type { Queryable, Sql } from '../../core/client.ts';
import { toDatabaseNames } from '../../core/columns.ts';
import { deactivateSubscriptions } from '../cancel-deliveries.ts';
import { deadLetterEvents, disabledEvents } from '../failure-events.ts';
import type { Claim } from '../delivery-queue.ts';
import type { DeliveryState } from '../webhook-deliveries.ts';
import { emitEvents } from '../webhook-events.ts';

/**
 * The result of an attempt. Instants are RFC 3339 text, because Temporal histories carry results.
 */
export type AttemptResult = {
  readonly deliveryId: string;
  readonly attemptNumber: number;
  /** Null when nothing was sent. */
  readonly sentAt: string | null;
  readonly succeeded: boolean;
  readonly httpStatus: number | null;
  readonly errorSummary: string | null;
  /** When the next attempt is due; for the last attempt its own instant. */
  readonly nextAttemptAt: string;
  readonly state: DeliveryState;
  /** The receiver answered 410, which deactivates its subscription. */
  readonly isGone: boolean;
  readonly at: string;
  /** The whole milliseconds of the send; undefined when nothing was sent. */
  readonly durationMs?: number;
  /** Whether a message starts a run that shows the outcome of the ended delivery. */
  readonly hasOwnRun?: boolean;
  /** Whether a caller or a run waits for the result. */
  readonly isAwaited?: boolean;
};

/** What a receiver answered, with secrets hidden. */
export type StoredResponse = {
  /** Headers of the request that the attempt's row does not have. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the body is no text. */
  readonly body: string | null;
  readonly bodyBytes: number;
};

/**
 * A result with the response if it is worth keeping, and with the claim that it is of; without one
 * it is of a run. A Temporal history has the result only: the response is in no history.
 */
export type AttemptWithResponse = AttemptResult &
  Partial<Claim> & { readonly answer?: StoredResponse | undefined };

/** A subscription becomes inactive after failures for this long, with this many dead letters. */
export type FailureLimit = { readonly failingMs: number; readonly deadLetters: number };

export type RecordedAttempt = {
  readonly deliveryId: string;
  readonly attemptNumber: number;
  /** `cancelled` if the delivery would wait but its subscription has become inactive. */
  readonly state: DeliveryState;
  readonly subscriptionId: string;
  /** Whether the subscription still has the URL of the attempt, and was not deactivated since. */
  readonly isCurrent: boolean;
  readonly hasFailedTooLong: boolean;
};

/**
 * Records results, each once, with the deliveries' states and the subscriptions' last-delivery
 * fields, by one statement. A claimed delivery that failed gets a run of its own, whose message is
 * part of the statement. Returns the deliveries that it moved: not those that another process has
 * claimed since.
 */
export async function recordAttempts(
  sql: Sql,
  results: readonly AttemptWithResponse[],
  limit: FailureLimit,
): Promise<readonly RecordedAttempt[]> {
  if (results.every(({ state }) => state !== 'deadLettered'))
    return storeResults(sql, results, limit);
  return sql.begin(async (transaction) => {
    await holdVendors(transaction, results);
    const recorded = await storeResults(transaction, results, limit);
    const gone = new Set(
      results.filter(({ isGone }) => isGone).map(({ deliveryId }) => deliveryId),
    );
    const reasons = new Map<string, DisabledReason>();
    for (const { deliveryId, subscriptionId, isCurrent, hasFailedTooLong } of recorded) {
      if (!isCurrent) continue;
      if (gone.has(deliveryId)) reasons.set(subscriptionId, 'Gone');
      else if (hasFailedTooLong) reasons.set(subscriptionId, 'FailingTooLong');
    }
    const ended = await deactivateSubscriptions(
      transaction,
      Array.from(reasons, ([id, reason]) => ({ id, reason: reasonTexts[reason] })),
    );
    const disabled = new Map([...reasons].filter(([id]) => ended.includes(id)));
    const dead = recorded.filter(({ state }) => state === 'deadLettered');
    const deadIds = dead.map(({ deliveryId }) => deliveryId);
    await emitEvents(
      transaction,
      ...(await deadLetterEvents(transaction, deadIds)),
      ...(await disabledEvents(transaction, disabled)),
    );
    return recorded;
  });
}

/**
 * The events of dead letters refer to their vendors. A reset of a sandbox locks its vendor before
 * the deliveries that it deletes, so these rows come first here too.
 */
async function holdVendors(sql: Queryable, results: readonly AttemptWithResponse[]): Promise<void> {
  const dead = results.filter(({ state }) => state === 'deadLettered');
  await sql`select set_config('lock_timeout', '2000', true)`;
  await sql`
    select from vendors where id in (
      select vendor_id from webhook_deliveries
      where id = any(${dead.map(({ deliveryId }) => deliveryId)}::uuid[])
    ) order by id for key share`;
}

/** The reasons that operators see. */
const reasonTexts: Readonly<Record<DisabledReason, string>> = {
  Gone: 'The receiver answered 410 Gone.',
  FailingTooLong: 'Nothing but failures for too long.',
};

const storeResults = (
  sql: Queryable,
  results: readonly AttemptWithResponse[],
  limit: FailureLimit,
): Promise<readonly RecordedAttempt[]> => sql<RecordedAttempt[]>`
  select * from record_attempts(${sql.json(results.map(toDatabaseNames))}, ${limit.failingMs},
    ${limit.deadLetters})`;
