import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { findLatestAttempt, type DeliveryAttempt } from '../db/webhooks/attempt-list.ts';
import type { AttemptResult } from '../db/webhooks/record-attempts.ts';
import { findDelivery, type WebhookDelivery } from '../db/webhooks/webhook-deliveries.ts';
import type { AttemptOutcome, AttemptRequest } from '../workflows/webhook-delivery-messages.ts';
import type { DeliveryPipeline } from './delivery-pipeline.ts';
import { sendAttempt } from './send-attempt.ts';
import { startHeartbeat } from './heartbeat.ts';
import { acquireAttempt } from './acquire-attempt.ts';

export type DeliveryActivities = {
  /** Makes one attempt, unless its result is known already. `unrecorded` is a result that is yet to be stored. */
  readonly attemptDelivery: (request: AttemptRequest) => Promise<{
    readonly outcome: AttemptOutcome;
    readonly unrecorded: AttemptResult | null;
  }>;
  /** Stores a result that could not be stored at once; answers how the delivery stands then. */
  readonly recordDeliveryAttempt: (result: AttemptResult) => Promise<AttemptOutcome>;
  /** How the delivery stands in the record. */
  readonly readDelivery: (request: { readonly deliveryId: string }) => Promise<AttemptOutcome>;
};

export const createDeliveryActivities = (pipeline: DeliveryPipeline): DeliveryActivities => ({
  attemptDelivery: (request) => attemptDelivery(pipeline, request),
  recordDeliveryAttempt: async (result) => {
    await pipeline.record(result);
    return known(pipeline, result.deliveryId);
  },
  readDelivery: ({ deliveryId }) => known(pipeline, deliveryId),
});

/** So long an attempt waits for its receiver's turn before it goes back to the server to wait there. */
const slotWaitMsMax = 120_000;
/** For each slot that a subscription may have, so many attempts wait in the process; the rest wait at the server. */
const waitingPerSlot = 1;

async function attemptDelivery(
  pipeline: DeliveryPipeline,
  request: AttemptRequest,
): ReturnType<DeliveryActivities['attemptDelivery']> {
  const { deliveryId, attemptNumber, mayWait = true } = request;
  const pulse = startHeartbeat();
  try {
    const turn = await acquireAttempt(
      pipeline,
      { deliveryId, after: attemptNumber - 1, batchId: null },
      {
        signal: AbortSignal.any([pulse.signal, AbortSignal.timeout(slotWaitMsMax)]),
        waitingMax: mayWait ? waitingPerSlot * pipeline.subscriptionConcurrencyMax : 0,
      },
    );
    if (turn === 'busy') throw receiverBusy();
    if (turn === 'not-due') {
      const outcome = await known(pipeline, deliveryId);
      if (outcome.isUnderWay === true) throw attemptUnderWay(request.timeoutMs);
      return { outcome, unrecorded: null };
    }
    const result = await sendAttempt(pipeline, turn.begun, request).finally(turn.release);
    return await store(pipeline, result);
  } finally {
    pulse.stop();
  }
}

/** It is tried again by the server, and uses up none of the vendor's attempts. */
const receiverBusy = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'RECEIVER_BUSY',
    message: 'The receiving host has as many requests under way as it may.',
    nextRetryDelay: `${Math.round(20 + Math.random() * 20)} seconds`,
  });

/** Somebody is making it at this moment. By the time that this is tried again it has a result, or was lost. */
const attemptUnderWay = (timeoutMs: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'ATTEMPT_UNDER_WAY',
    message: 'Another step is making this attempt.',
    nextRetryDelay: timeoutMs,
  });

/** How the delivery stands, as the record has it; a delivery that is gone was cancelled. */
async function known({ sql }: DeliveryPipeline, deliveryId: string): Promise<AttemptOutcome> {
  const [delivery, attempt] = await Promise.all([
    findDelivery(sql, deliveryId),
    findLatestAttempt(sql, deliveryId),
  ]);
  return {
    state: delivery === null ? 'cancelled' : standingOf(delivery),
    attemptNumber: attempt?.attemptNumber ?? 0,
    httpStatus: attempt?.httpStatus ?? null,
    errorSummary: attempt?.errorSummary ?? null,
    nextAttemptAt: (attempt?.nextAttemptAt ?? new Date()).toISOString(),
    isUnderWay: delivery?.isUnderWay ?? false,
    isRedelivered: delivery?.state === 'waiting' && attempt !== null && isTerminal(attempt),
  };
}

/** No attempt was to follow it: a delivery that waits all the same was put on a fresh schedule since. */
const isTerminal = ({ succeeded, deadLetteredAt, errorSummary }: DeliveryAttempt): boolean =>
  succeeded === true || deadLetteredAt !== null || errorSummary === 'subscription_inactive';

const standingOf = ({ state, batchId }: WebhookDelivery): AttemptOutcome['state'] =>
  state === 'waiting' && batchId !== null ? 'dispatched' : state;

/** Well below the workflow's overheadMs: the step must tell the result before it is given up and made again. */
const recordMsMax = 5000;

/** Stores a result; when Postgres does not take it, the workflow is told, which then has it stored by a step of its own. */
async function store(
  pipeline: DeliveryPipeline,
  result: AttemptResult,
): ReturnType<DeliveryActivities['attemptDelivery']> {
  const { state, attemptNumber, httpStatus, errorSummary, nextAttemptAt } = result;
  const outcome: AttemptOutcome = { state, attemptNumber, httpStatus, errorSummary, nextAttemptAt };
  const giveUp = new AbortController();
  try {
    const recorded = await Promise.race([
      pipeline.record(result),
      delay(recordMsMax, undefined, { ref: false, signal: giveUp.signal }).then(() =>
        Promise.reject(new Error('not stored in time')),
      ),
    ]);
    // Nothing was moved: the record has a result of this attempt already.
    if (recorded === null)
      return { outcome: await known(pipeline, result.deliveryId), unrecorded: null };
    return { outcome: { ...outcome, state: recorded.state }, unrecorded: null };
  } catch {
    return { outcome, unrecorded: result };
  } finally {
    giveUp.abort();
  }
}
