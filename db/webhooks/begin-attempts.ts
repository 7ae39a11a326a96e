import type { Queryable } from '../core/client.ts';

/** Which attempt is to be made: the one after `after`, by the dispatch that the delivery is part of, or by its own run (null). */
export type AttemptToBegin = {
  readonly deliveryId: string;
  readonly after: number;
  readonly batchId: string | null;
};

/** An attempt whose row is there, and what it is to send. */
export type BegunAttempt = {
  readonly id: string;
  readonly deliveryId: string;
  readonly attemptNumber: number;
  readonly subscriptionId: string;
  readonly url: string;
  readonly secretSealed: Uint8Array;
  readonly isActive: boolean;
  readonly eventId: string;
  readonly body: string;
  readonly isTest: boolean;
};

/** What an attempt's row says that was begun and never got a result. */
export const workerLost = 'worker_lost: the gateway was stopped before it knew the answer';

/**
 * Writes the rows of attempts before their requests go out, and answers what to send. Left out are those that are not to be made: the
 * delivery is gone or waits no more, is somebody else's, or has a result for the attempt after `after`; so a step that is
 * repeated sends nothing again whose result is known. An attempt that was begun and never got a result belonged to a process
 * that is no more: its row says `worker_lost`, and this one takes the next number. The secret is read anew for each
 * attempt, so that a rotation takes effect at the next one (D49).
 */
export async function beginAttempts(
  sql: Queryable,
  attempts: readonly AttemptToBegin[],
): Promise<readonly BegunAttempt[]> {
  return sql<BegunAttempt[]>`
    select * from begin_attempts(
      ${attempts.map(({ deliveryId }) => deliveryId)}::uuid[], ${attempts.map(({ after }) => after)}::integer[],
      ${attempts.map(({ batchId }) => batchId)}::uuid[], ${workerLost})`;
}

/** Takes back an attempt that was begun and cannot be made yet: its receiver has as many requests under way as it may. */
export async function cancelAttempt(sql: Queryable, attempt: BegunAttempt): Promise<void> {
  await sql`
    with delivery as materialized (
      select id from webhook_deliveries
      where id = ${attempt.deliveryId} and is_under_way and attempts = ${attempt.attemptNumber}
      for no key update
    ), gone as (
      delete from webhook_attempts using delivery
      where webhook_attempts.id = ${attempt.id} and delivery_id = delivery.id and succeeded is null
      returning delivery_id
    )
    update webhook_deliveries set attempts = attempts - 1, is_under_way = false
    from gone where webhook_deliveries.id = gone.delivery_id`;
}
