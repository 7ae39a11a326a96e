import { setTimeout as delay } from 'node:timers/promises';
import type { BegunAttempt } from '../db/webhooks/begin-attempts.ts';
import type { BatchedDelivery } from '../db/webhooks/delivery-batches.ts';
import type { AttemptResult } from '../db/webhooks/record-attempts.ts';
import { isPassingFailure } from '../db/core/failure.ts';
import { jitteredDelayMs } from '../domain/webhooks/jitter.ts';
import type { DeliveryPipeline } from './delivery-pipeline.ts';
import { acquireAttempt, receiverOf, type AttemptLease } from './acquire-attempt.ts';
import { sendAttempt } from './send-attempt.ts';

/** The batch of a delivery, and the terms of its attempts. */
export type FirstAttemptTerms = {
  readonly batchId: string;
  /** The delay before a second attempt, without jitter; null for no second attempt. */
  readonly retryDelayMs: number | null;
  readonly timeoutMs: number;
  /** Whether the delivery, which this result ended, gets a run of its own. Default: false. */
  readonly hasOwnRun?: (attempt: BegunAttempt) => boolean;
};

/** After `passEnd`, no attempt begins. After `stopping`, results are no longer retried either. */
export type AttemptLimits = { readonly passEnd: AbortSignal; readonly stopping: AbortSignal };

/** A delivery of a batch, with its attempt if that has begun. */
type Member = BatchedDelivery & { readonly begun?: BegunAttempt | null };

/**
 * Makes the first attempt of a schedule for a delivery of a batch, and stores its result. Does
 * nothing when the receiver has no free slot in time, or when the delivery ended meanwhile. Rejects
 * for a fault of the gateway.
 */
export async function makeFirstAttempt(
  pipeline: DeliveryPipeline,
  terms: FirstAttemptTerms,
  member: Member,
  { passEnd, stopping }: AttemptLimits,
): Promise<void> {
  const lease =
    (await leaseBegun(pipeline, member)) ??
    (await acquireSlotFirst(pipeline, terms, member, passEnd));
  if (lease === null) return;
  const { begun, release } = lease;
  const result = await sendAttempt(pipeline, begun, {
    retryDelayMs: begun.isTest
      ? null
      : jitteredDelayMs(terms.retryDelayMs ?? undefined, Math.random()),
    timeoutMs: terms.timeoutMs,
  }).finally(release);
  const hasOwnRun = result.state !== 'waiting' && (terms.hasOwnRun?.(begun) ?? false);
  await store(pipeline, { ...result, hasOwnRun }, stopping);
}

/** The lease of an attempt that has begun. Without a free slot, cancels the attempt. */
async function leaseBegun(
  { slots, cancel }: DeliveryPipeline,
  { begun = null }: Member,
): Promise<AttemptLease | null> {
  if (begun === null) return null;
  const release = slots.tryTake(receiverOf(begun), begun.subscriptionId);
  if (release !== null) return { begun, release };
  await cancel(begun);
  return null;
}

/** A batch makes the next attempt of its deliveries, whatever its number. */
const anyNumber = 2_147_483_647;

/** Begins the attempt only once there is a slot, so that few are under way when a worker dies. */
async function acquireSlotFirst(
  pipeline: DeliveryPipeline,
  { batchId }: FirstAttemptTerms,
  member: Member,
  passEnd: AbortSignal,
): Promise<AttemptLease | null> {
  const { deliveryId, subscriptionId: owner } = member;
  const receiver = receiverOf(member);
  const release = await pipeline.slots.take(receiver, { owner, signal: passEnd });
  if (release === null) return null;
  const attempt = { deliveryId, after: anyNumber, batchId };
  const held = { receiver, release };
  const lease = await acquireAttempt(pipeline, attempt, { signal: passEnd, held });
  return lease === 'busy' || lease === 'not-due' ? null : lease;
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
