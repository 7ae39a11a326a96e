import type { Queryable } from '../core/client.ts';

/** The attempt after the one numbered `after`, by the delivery's batch or (null) by its own run. */
export type AttemptToBegin = {
  readonly deliveryId: string;
  readonly after: number;
  readonly batchId: string | null;
};

/** An attempt whose row is stored, and what to send. */
export type BegunAttempt = {
  readonly id: string;
  readonly deliveryId: string;
  readonly attemptNumber: number;
  readonly subscriptionId: string;
  readonly vendorId: string;
  readonly url: string;
  readonly secretSealed: Uint8Array;
  readonly isActive: boolean;
  readonly eventId: string;
  readonly body: string;
  readonly isTest: boolean;
};

/** The error summary of an attempt whose worker ended before it recorded a result. */
export const workerLost = 'worker_lost: the gateway was stopped before it knew the answer';

/**
 * Writes the rows of attempts before their requests are sent, and returns what to send. It omits a
 * delivery that is gone, no longer waits or belongs to another run, and an attempt that already has
 * a result: a repeated step sends nothing twice whose result is known. An earlier attempt without a
 * result was lost with its worker: its row gets `worker_lost`, and this attempt takes the next
 * number. Each attempt reads the secret anew, so a rotation applies to the next one (D49).
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

/**
 * Deletes an attempt that cannot be sent yet, because its receiver has too many requests under way.
 */
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
