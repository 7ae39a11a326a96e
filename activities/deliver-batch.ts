import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptResult } from '../db/webhooks/record-attempts.ts';
import {
  dispatchStanding,
  listDispatched,
  type DispatchedDelivery,
} from '../db/webhooks/delivery-batches.ts';
import { isPassingFailure } from '../db/core/failure.ts';
import { jitteredDelayMs } from '../domain/webhooks/jitter.ts';
import type { DispatchPass, WebhookDispatchInput } from '../workflows/webhook-delivery-batch-messages.ts';
import type { DeliveryPipeline } from './delivery-pipeline.ts';
import { makeAttempt } from './send-attempt.ts';
import { startPulse } from './heartbeat.ts';
import { hostOf, takeTurn } from './acquire-attempt.ts';

export type DispatchActivities = {
  /** Makes the first attempts of a dispatch that are yet to be made. */
  readonly dispatchDeliveries: (input: WebhookDispatchInput) => Promise<DispatchPass>;
};

export const createDispatchActivities = (pipeline: DeliveryPipeline): DispatchActivities => ({
  dispatchDeliveries: (input) => dispatchDeliveries(pipeline, input),
});

/** After so long a pass begins no further attempts: what waits for a slow receiver is left to the next one. */
const passMs = 60_000;

/**
 * All at once, bounded for each receiving host only, so that a slow one keeps nobody but itself waiting. Each attempt is begun when
 * its turn has come, so that few are under way when the worker is killed.
 */
async function dispatchDeliveries(
  pipeline: DeliveryPipeline,
  input: WebhookDispatchInput,
): Promise<DispatchPass> {
  const pulse = startPulse();
  try {
    const until = AbortSignal.any([pulse.signal, AbortSignal.timeout(passMs)]);
    // Each that waits for its turn listens.
    setMaxListeners(0, until);
    const deliveries = await listDispatched(pipeline.sql, input.dispatchId);
    const results = await Promise.allSettled(
      deliveries.map((delivery) => deliver(pipeline, input, delivery, { until, stopping: pulse.signal })),
    );
    const failure = results.find((result) => result.status === 'rejected');
    // Our own fault: the step is made again, for those that have no result.
    if (failure !== undefined) throw failure.reason;
    // By the record, which also knows what an earlier try of this step has done.
    return await dispatchStanding(pipeline.sql, input.dispatchId);
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
  { dispatchId, retryDelayMs, timeoutMs }: WebhookDispatchInput,
  { deliveryId, subscriptionId, url }: DispatchedDelivery,
  { until, stopping }: Limits,
): Promise<void> {
  const host = hostOf(url);
  const release = await pipeline.slots.take(host, { owner: subscriptionId, signal: until });
  if (release === null) return;
  const attempt = { deliveryId, after: anyNumber, dispatchId };
  const turn = await takeTurn(pipeline, attempt, { signal: until, held: { host, release } });
  if (turn === 'busy' || turn === 'not-due') return;
  const result = await makeAttempt(pipeline, turn.begun, {
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
