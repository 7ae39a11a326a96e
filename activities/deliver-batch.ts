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
  BatchProgress,
  WebhookDeliveryBatchInput,
} from '../workflows/webhook-delivery-batch-messages.ts';
import type { DeliveryPipeline } from './delivery-pipeline.ts';
import { sendAttempt } from './send-attempt.ts';
import { startHeartbeat } from './heartbeat.ts';
import { hostOf, acquireAttempt } from './acquire-attempt.ts';

export type BatchActivities = {
  /** Makes the outstanding first attempts of a delivery batch. */
  readonly deliverBatch: (input: WebhookDeliveryBatchInput) => Promise<BatchProgress>;
};

export const createBatchActivities = (pipeline: DeliveryPipeline): BatchActivities => ({
  deliverBatch: (input) => deliverBatch(pipeline, input),
});

/** A pass begins no attempts after this time; the next pass makes the others. */
const passMs = 60_000;

/**
 * Makes all attempts concurrently, limited for each receiving host only, so that a slow host delays
 * only itself. Begins each attempt when it has a slot, so that few are under way when a worker is
 * killed.
 */
async function deliverBatch(
  pipeline: DeliveryPipeline,
  input: WebhookDeliveryBatchInput,
): Promise<BatchProgress> {
  const heartbeat = startHeartbeat();
  try {
    const passEnd = AbortSignal.any([heartbeat.signal, AbortSignal.timeout(passMs)]);
    // Each delivery that waits for a slot adds a listener.
    setMaxListeners(0, passEnd);
    const deliveries = await listBatchedDeliveries(pipeline.sql, input.batchId);
    const results = await Promise.allSettled(
      deliveries.map((delivery) =>
        deliver(pipeline, input, delivery, { passEnd, stopping: heartbeat.signal }),
      ),
    );
    const failure = results.find((result) => result.status === 'rejected');
    // A fault of the gateway: Temporal repeats the activity for deliveries without a result.
    if (failure !== undefined) throw failure.reason;
    // Postgres also counts what an earlier try of this activity did.
    return await readBatchState(pipeline.sql, input.batchId);
  } finally {
    heartbeat.stop();
  }
}

/** A batch makes the next attempt of its deliveries, whatever its number. */
const anyNumber = 2_147_483_647;

/** After `passEnd`, no attempt begins. After `stopping`, results are no longer retried either. */
type Limits = { readonly passEnd: AbortSignal; readonly stopping: AbortSignal };

/** Does nothing when no slot is free in time, or when the delivery ended meanwhile. */
async function deliver(
  pipeline: DeliveryPipeline,
  { batchId, retryDelayMs, timeoutMs }: WebhookDeliveryBatchInput,
  { deliveryId, subscriptionId, url }: BatchedDelivery,
  { passEnd, stopping }: Limits,
): Promise<void> {
  const host = hostOf(url);
  const release = await pipeline.slots.take(host, { owner: subscriptionId, signal: passEnd });
  if (release === null) return;
  const attempt = { deliveryId, after: anyNumber, batchId };
  const held = { host, release };
  const lease = await acquireAttempt(pipeline, attempt, { signal: passEnd, held });
  if (lease === 'busy' || lease === 'not-due') return;
  const result = await sendAttempt(pipeline, lease.begun, {
    retryDelayMs: jitteredDelayMs(retryDelayMs ?? undefined, Math.random()),
    timeoutMs,
  }).finally(lease.release);
  await store(pipeline, result, stopping);
}

/** Retries until the result is stored, so that an outage of Postgres loses no result. */
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
