import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptResult } from '../db/webhooks/record-attempts.ts';
import {
  readBatchState,
  listBatchedDeliveries,
  type BatchedDelivery,
} from '../db/webhooks/delivery-batches.ts';
import { isPassingFailure } from '../db/core/failure.ts';
import { jitteredDelayMs } from '../domain/webhooks/jitter.ts';
import type {
  BatchPass,
  WebhookDeliveryBatchInput,
} from '../workflows/webhook-delivery-batch-messages.ts';
import type { DeliveryPipeline } from './delivery-pipeline.ts';
import { sendAttempt } from './send-attempt.ts';
import { startHeartbeat } from './heartbeat.ts';
import { hostOf, acquireAttempt } from './acquire-attempt.ts';

export type BatchActivities = {
  /** Makes the first attempts of a dispatch that are yet to be made. */
  readonly deliverBatch: (input: WebhookDeliveryBatchInput) => Promise<BatchPass>;
};

export const createBatchActivities = (pipeline: DeliveryPipeline): BatchActivities => ({
  deliverBatch: (input) => deliverBatch(pipeline, input),
});

/** After so long a pass begins no further attempts: what waits for a slow receiver is left to the next one. */
const passMs = 60_000;

/**
 * All at once, bounded for each receiving host only, so that a slow one keeps nobody but itself waiting. Each attempt is begun when
 * its turn has come, so that few are under way when the worker is killed.
 */
async function deliverBatch(
  pipeline: DeliveryPipeline,
  input: WebhookDeliveryBatchInput,
): Promise<BatchPass> {
  const pulse = startHeartbeat();
  try {
    const until = AbortSignal.any([pulse.signal, AbortSignal.timeout(passMs)]);
    // Each that waits for its turn listens.
    setMaxListeners(0, until);
    const deliveries = await listBatchedDeliveries(pipeline.sql, input.batchId);
    const results = await Promise.allSettled(
      deliveries.map((delivery) =>
        deliver(pipeline, input, delivery, { until, stopping: pulse.signal }),
      ),
    );
    const failure = results.find((result) => result.status === 'rejected');
    // Our own fault: the step is made again, for those that have no result.
    if (failure !== undefined) throw failure.reason;
    // By the record, which also knows what an earlier try of this step has done.
    return await readBatchState(pipeline.sql, input.batchId);
  } finally {
    pulse.stop();
  }
}

/** A dispatch holds its deliveries, whatever attempts they had before. */
const anyNumber = 2_147_483_647;

/** `until`: no attempt is begun any more. `stopping`: nor does one wait any more for the database to take its result. */
type Limits = { readonly until: AbortSignal; readonly stopping: AbortSignal };

/** Leaves it as it is when its turn does not come, or when somebody else has ended it. */
async function deliver(
  pipeline: DeliveryPipeline,
  { batchId, retryDelayMs, timeoutMs }: WebhookDeliveryBatchInput,
  { deliveryId, subscriptionId, url }: BatchedDelivery,
  { until, stopping }: Limits,
): Promise<void> {
  const host = hostOf(url);
  const release = await pipeline.slots.take(host, { owner: subscriptionId, signal: until });
  if (release === null) return;
  const attempt = { deliveryId, after: anyNumber, batchId };
  const turn = await acquireAttempt(pipeline, attempt, { signal: until, held: { host, release } });
  if (turn === 'busy' || turn === 'not-due') return;
  const result = await sendAttempt(pipeline, turn.begun, {
    retryDelayMs: jitteredDelayMs(retryDelayMs ?? undefined, Math.random()),
    timeoutMs,
  }).finally(turn.release);
  await store(pipeline, result, stopping);
}

/** Until it is stored: what this process knows is not lost to a database that is away for a while. */
async function store(
  pipeline: DeliveryPipeline,
  result: AttemptResult,
  stopping: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      await pipeline.record(result);
      return;
    } catch (error) {
      if (!isPassingFailure(error) || stopping.aborted) throw error;
      await delay(500);
    }
  }
}
