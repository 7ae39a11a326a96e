import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptResult, RecordedAttempt } from '../db/attempt-record.ts';
import { databaseFailureCode } from '../db/failure.ts';
import { listDispatched, type DispatchedDelivery } from '../db/dispatches.ts';
import { jitteredDelayMs } from '../domain/jitter.ts';
import type { DispatchPass, WebhookDispatchInput } from '../workflows/webhook-dispatch-messages.ts';
import type { DeliveryPipeline } from './delivery-pipeline.ts';
import { makeAttempt } from './make-attempt.ts';
import { startPulse } from './pulse.ts';
import { hostOf, takeTurn } from './take-turn.ts';

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
    const signal = AbortSignal.any([pulse.signal, AbortSignal.timeout(passMs)]);
    const deliveries = await listDispatched(pipeline.sql, input.dispatchId);
    const results = await Promise.allSettled(
      deliveries.map((delivery) => deliver(pipeline, input, delivery, signal)),
    );
    const failure = results.find((result) => result.status === 'rejected');
    // Our own fault: the step is made again, for those that have no result.
    if (failure !== undefined) throw failure.reason;
    const outcomes = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const count = (...which: readonly Outcome[]): number =>
      outcomes.filter((outcome) => which.includes(outcome)).length;
    return {
      succeeded: count('succeeded'),
      retrying: count('waiting'),
      ended: count('deadLettered', 'cancelled', 'failed'),
      left: count('left'),
    };
  } finally {
    pulse.stop();
  }
}

/** A dispatch holds its deliveries, whatever attempts they had before. */
const anyNumber = 2_147_483_647;

type Outcome = RecordedAttempt['state'] | 'left';

async function deliver(
  pipeline: DeliveryPipeline,
  { dispatchId, retryDelayMs, timeoutMs }: WebhookDispatchInput,
  { deliveryId, url }: DispatchedDelivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const host = hostOf(url);
  const release = await pipeline.slots.take(host, { signal });
  if (release === null) return 'left';
  const attempt = { deliveryId, after: anyNumber, dispatchId };
  const turn = await takeTurn(pipeline, attempt, { signal, held: { host, release } });
  if (turn === 'busy') return 'left';
  if (turn === 'not-due') return 'cancelled';
  const result = await makeAttempt(pipeline, turn.begun, {
    retryDelayMs: jitteredDelayMs(retryDelayMs ?? undefined, Math.random()),
    timeoutMs,
  }).finally(turn.release);
  return store(pipeline, result);
}

/** Until it is stored: while this process lives, what it knows is not lost to a database that is away. */
async function store(pipeline: DeliveryPipeline, result: AttemptResult): Promise<Outcome> {
  for (;;) {
    try {
      const recorded = await pipeline.record(result);
      return recorded?.state ?? 'cancelled';
    } catch (error) {
      if (databaseFailureCode(error) === null) throw error;
      await delay(500);
    }
  }
}
