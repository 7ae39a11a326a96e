import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { cancelAttempt } from '../db/webhooks/attempts/begin-attempts.ts';
import { findLatestAttempt, type DeliveryAttempt } from '../db/webhooks/attempts/attempt-list.ts';
import type {
  AttemptWithResponse,
  AttemptResult,
} from '../db/webhooks/attempts/record-attempts.ts';
import { findDelivery, type FoundDelivery } from '../db/webhooks/webhook-deliveries.ts';
import type {
  AttemptOutcome,
  AttemptRequest,
} from '../workflows/webhooks/webhook-delivery-messages.ts';
import type { DeliveryPipeline } from './delivery-pipeline.ts';
import { sendAttempt } from './send-attempt.ts';
import { SenderLost } from '../guardrail/send/send.ts';
import { withHeartbeat } from '../activities/heartbeat.ts';
import { withTimeLimit } from '../activities/time-limit.ts';
import { receiverOf } from './host-slots.ts';

type Attempted = {
  readonly outcome: AttemptOutcome;
  /** A result that could not be stored in Postgres. */
  readonly unrecorded: AttemptResult | null;
};

export const createDeliveryActivities = (pipeline: DeliveryPipeline) => ({
  /** Makes one attempt, unless Postgres already has its result. */
  attemptDelivery: (request: AttemptRequest): Promise<Attempted> =>
    withHeartbeat((stopping) => attemptDelivery(pipeline, request, stopping)),
  /** Stores a result that the attempt could not store; returns the delivery's state after it. */
  recordDeliveryAttempt: async (result: AttemptResult): Promise<AttemptOutcome> => {
    await pipeline.record(result);
    return readState(pipeline, result.deliveryId);
  },
  readDeliveryState: ({ deliveryId }: { readonly deliveryId: string }): Promise<AttemptOutcome> =>
    readState(pipeline, deliveryId),
});
export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;

/**
 * The longest wait for a slot of the receiving host. The attempt then waits on Temporal's server.
 */
const slotWaitMsMax = 120_000;
/**
 * How many attempts may wait in the process for each slot of a subscription; the others wait on
 * Temporal's server.
 */
const waitingPerSlot = 1;

async function attemptDelivery(
  pipeline: DeliveryPipeline,
  request: AttemptRequest,
  stopping: AbortSignal,
): Promise<Attempted> {
  const { deliveryId, attemptNumber } = request;
  const notDue = async (): Promise<Attempted> => {
    const outcome = await readState(pipeline, deliveryId);
    // When Temporal retries this activity, that attempt has a result, or its worker was lost.
    if (outcome.isUnderWay === true)
      throw retryIn(
        request.timeoutMs,
        'ATTEMPT_UNDER_WAY',
        'Another activity is making this attempt.',
      );
    return { outcome, unrecorded: null };
  };
  const delivery = await findDelivery(pipeline.sql, deliveryId);
  if (delivery === null || stateOf(delivery) !== 'waiting') return notDue();
  // A repeated step whose result is stored needs no slot.
  if (!delivery.isUnderWay && delivery.attempts >= attemptNumber) return notDue();
  const receiver = receiverOf(delivery);
  const waitingMax = waitingPerSlot * pipeline.subscriptionConcurrencyMax;
  const release = await withTimeLimit(stopping, slotWaitMsMax, (signal) =>
    pipeline.slots.take(receiver, { owner: delivery.subscriptionId, signal, waitingMax }),
  );
  if (release === null)
    throw retryIn(
      `${Math.round(20 + Math.random() * 20)} seconds`,
      'RECEIVER_BUSY',
      'The receiving host has as many requests under way as it may.',
    );
  try {
    // It begins after the wait, because the URL or the secret of the subscription may change.
    const begun = await pipeline.begin({ deliveryId, after: attemptNumber - 1 });
    if (begun === null) return await notDue();
    if (receiverOf(begun) !== receiver) {
      await cancelAttempt(pipeline.sql, begun);
      // The new host may have a free slot.
      throw retryIn(
        '1 second',
        'HOST_CHANGED',
        'The URL of the subscription has another host since the wait for a slot.',
      );
    }
    const sent = sendAttempt(pipeline, begun, request).catch(async (error: unknown) => {
      // After `SenderLost` the attempt stays under way: the retry of this activity ends it as lost.
      if (!(error instanceof SenderLost)) await cancelAttempt(pipeline.sql, begun);
      throw error;
    });
    return await store(pipeline, await sent.finally(release));
  } finally {
    release();
  }
}

/** Temporal retries the activity; the retry uses up none of the vendor's attempts. */
const retryIn = (
  nextRetryDelay: NonNullable<ApplicationFailure['nextRetryDelay']>,
  type: string,
  message: string,
): ApplicationFailure => ApplicationFailure.create({ type, message, nextRetryDelay });

/** The state in Postgres. A deleted delivery counts as cancelled. */
async function readState({ sql }: DeliveryPipeline, deliveryId: string): Promise<AttemptOutcome> {
  const [delivery, attempt] = await Promise.all([
    findDelivery(sql, deliveryId),
    findLatestAttempt(sql, deliveryId),
  ]);
  return {
    state: delivery === null ? 'cancelled' : stateOf(delivery),
    attemptNumber: attempt?.attemptNumber ?? 0,
    httpStatus: attempt?.httpStatus ?? null,
    errorSummary: attempt?.errorSummary ?? null,
    sentAt: attempt?.sentAt?.toISOString() ?? null,
    deadLetteredAt: delivery?.deadLetteredAt?.toISOString() ?? null,
    // Before its first attempt, a delivery has been due since its creation.
    nextAttemptAt: (attempt?.nextAttemptAt ?? delivery?.createdAt ?? new Date(0)).toISOString(),
    isDue: delivery?.isRetryDue ?? false,
    isUnderWay: delivery?.isUnderWay ?? false,
    isRedelivered: delivery?.state === 'waiting' && attempt !== null && isTerminal(attempt),
  };
}

/** Whether the retry schedule ended. A delivery that still waits then has a fresh schedule. */
const isTerminal = ({ succeeded, deadLetteredAt, errorSummary }: DeliveryAttempt): boolean =>
  succeeded === true || deadLetteredAt !== null || errorSummary === 'subscription_inactive';

/** `batched`: the worker that claims it from the queue makes the attempt, and the run ends. */
const stateOf = ({ state, isQueued }: FoundDelivery): AttemptOutcome['state'] =>
  state === 'waiting' && isQueued ? 'batched' : state;

/**
 * Well below the workflow's overheadMs, so that the activity returns the result before its timeout.
 */
const recordMsMax = 5000;

/**
 * Stores a result, or returns it for another activity to store. The returned result has no response
 * of the receiver, because the history would contain it.
 */
async function store(
  pipeline: DeliveryPipeline,
  { answer, ...result }: AttemptWithResponse,
): Promise<Attempted> {
  const { state, attemptNumber, httpStatus, errorSummary, sentAt, nextAttemptAt } = result;
  const deadLetteredAt = state === 'deadLettered' ? result.at : null;
  const attempt = { attemptNumber, httpStatus, errorSummary, sentAt };
  const outcome: AttemptOutcome = { state, ...attempt, deadLetteredAt, nextAttemptAt };
  const timer = new AbortController();
  try {
    const recorded = await Promise.race([
      pipeline.record({ ...result, answer }),
      delay(recordMsMax, undefined, { ref: false, signal: timer.signal }).then(() =>
        Promise.reject(new Error('not stored in time')),
      ),
    ]);
    // Null: Postgres already has a result of this attempt.
    return recorded === null
      ? { outcome: await readState(pipeline, result.deliveryId), unrecorded: null }
      : { outcome: { ...outcome, state: recorded.state }, unrecorded: null };
  } catch {
    return { outcome, unrecorded: result };
  } finally {
    timer.abort();
  }
}
