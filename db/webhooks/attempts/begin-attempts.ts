import { clockFrom } from '../../core/clock.ts';
import type { Queryable } from '../../core/client.ts';

/** The attempt after the one numbered `after`. */
export type AttemptToBegin = { readonly deliveryId: string; readonly after: number };

/** An attempt, and what to send. */
export type AttemptToSend = {
  readonly deliveryId: string;
  readonly attemptNumber: number;
  readonly subscriptionId: string;
  readonly vendorId: string;
  readonly url: string;
  readonly secretSealed: Uint8Array;
  /** Null without custom headers. */
  readonly headersSealed: Uint8Array | null;
  readonly isActive: boolean;
  readonly eventId: string;
  readonly body: string;
  readonly isTest: boolean;
  /** The trace of the request that caused the event; null without tracing. */
  readonly traceparent: string | null;
  /** The clock of Postgres: a receiver refuses a signature that is minutes off. */
  readonly now: () => Date;
};

/** An attempt whose row is stored. */
export type BegunAttempt = AttemptToSend & { readonly id: string };

/** The error summary of an attempt whose worker ended before it recorded a result. */
export const workerLost = 'worker_lost: the gateway was stopped before it knew the answer';

/**
 * Writes the rows of attempts of runs before their requests are sent, and returns what to send. It
 * omits a delivery that is gone, no longer waits or is in the queue. It also omits an attempt that
 * has a result, so a repeated step sends nothing twice whose result is known. An earlier attempt
 * without a result was lost with its worker: its row gets `worker_lost`, and this attempt takes the
 * next number. Each attempt reads the secret again, so a rotation applies to the next one.
 */
export async function beginAttempts(
  sql: Queryable,
  attempts: readonly AttemptToBegin[],
): Promise<readonly BegunAttempt[]> {
  const rows = await sql<(Omit<BegunAttempt, 'now'> & { readonly begunAt: Date })[]>`
    select *, clock_timestamp() as begun_at from begin_attempts(
      ${attempts.map(({ deliveryId }) => deliveryId)}::uuid[],
      ${attempts.map(({ after }) => after)}::integer[],
      ${attempts.map(() => null)}::uuid[], ${workerLost})`;
  return rows.map(({ begunAt, ...row }) => ({ ...row, now: clockFrom(begunAt) }));
}

/** Deletes a begun attempt that was not sent, so that it can begin again. */
export async function cancelAttempt(
  sql: Queryable,
  { id, deliveryId, attemptNumber }: Pick<BegunAttempt, 'id' | 'deliveryId' | 'attemptNumber'>,
): Promise<void> {
  await sql`
    with delivery as materialized (
      select id from webhook_deliveries
      where id = ${deliveryId} and attempts = ${attemptNumber} and is_under_way
      for no key update
    ), deleted as (
      delete from webhook_attempts as attempt using delivery
      where attempt.id = ${id} and delivery_id = delivery.id and succeeded is null
      returning delivery_id
    )
    update webhook_deliveries set attempts = attempts - 1, is_under_way = false
    from deleted where webhook_deliveries.id = deleted.delivery_id`;
}
