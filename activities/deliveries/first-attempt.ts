import { setTimeout as delay } from 'node:timers/promises';
import type { BegunAttempt } from '../../db/webhooks/attempts/begin-attempts.ts';
import type { BatchedDelivery } from '../../db/webhooks/delivery-batches.ts';
import type { AnsweredAttempt } from '../../db/webhooks/attempts/record-attempts.ts';
import { isPassingFailure } from '../../db/core/failure.ts';
import { jitteredDelayMs } from '../../domain/webhooks/jitter.ts';
import { beginWithSlot, type DeliveryPipeline } from './delivery-pipeline.ts';
import { receiverOf, type Release } from './host-slots.ts';
import { sendAttempt } from './send-attempt.ts';
import { inOutboxSpan } from './attempt-spans.ts';

/** The batch of a delivery, and the settings of its attempts. */
export type FirstAttemptTerms = {
  readonly batchId: string;
  /** The delay before a second attempt, without jitter; null for no second attempt. */
  readonly retryDelayMs: number | null;
  readonly timeoutMs: number;
  /**
   * Whether the delivery, which this result ended, gets a run of its own. Default: false. A dead
   * letter always gets one, so that the Temporal UI lists every dead letter.
   */
  readonly hasOwnRun?: (attempt: BegunAttempt) => boolean;
  /** Called when an attempt that has begun finds no free slot. */
  readonly onNoSlot?: () => void;
};

/**
 * An attempt that waits for a slot or a permit gives up at `passEnd`. After `stopping`, a result
 * that could not be stored is not retried.
 */
export type AttemptLimits = { readonly passEnd: AbortSignal; readonly stopping: AbortSignal };

/** A delivery of a batch. If its attempt has begun, it has the attempt and its permit. */
type Member = BatchedDelivery & {
  readonly begun?: BegunAttempt | null;
  readonly permit?: Release | null;
};

/** The permit of an attempt among those that are recent or whose result is not stored. */
type Permit = {
  /** The receiver has answered. The attempt has a permit until its result is stored. */
  readonly answered: () => void;
  readonly leave: Release;
};

/** A begun attempt with a slot of its receiver, which `release` releases, and a permit. */
type PermittedAttempt = {
  readonly begun: BegunAttempt;
  readonly release: Release;
  readonly permit: Permit;
};

/**
 * An attempt gives up its permit when it waits longer for an answer, so that slow receivers take
 * few permits.
 */
const recentMs = 150;

function holdPermit({ recent }: DeliveryPipeline, taken: Release): Permit {
  let leave: Release | null = taken;
  const timer = setTimeout(() => {
    leave = null;
    taken();
  }, recentMs);
  return {
    answered: () => {
      clearTimeout(timer);
      leave ??= recent.occupy();
    },
    leave: () => {
      clearTimeout(timer);
      leave?.();
    },
  };
}

/**
 * Makes the first attempt of a schedule for a delivery of a batch, and stores its result. Does
 * nothing when the receiver has no free slot in time, or when the delivery ended meanwhile. Rejects
 * for a fault of the gateway.
 */
export async function makeFirstAttempt(
  pipeline: DeliveryPipeline,
  terms: FirstAttemptTerms,
  member: Member,
  limits: AttemptLimits,
): Promise<void> {
  const permitted =
    (await permitBegun(pipeline, terms, member)) ??
    (await acquireSlotFirst(pipeline, terms, member, limits.passEnd));
  if (permitted === null) return;
  await inOutboxSpan(pipeline, terms, permitted.begun, () =>
    sendAndStore(pipeline, terms, permitted, limits.stopping),
  );
}

async function sendAndStore(
  pipeline: DeliveryPipeline,
  terms: FirstAttemptTerms,
  { begun, release, permit }: PermittedAttempt,
  stopping: AbortSignal,
): Promise<void> {
  try {
    const result = await sendAttempt(pipeline, begun, {
      retryDelayMs: begun.isTest
        ? null
        : jitteredDelayMs(terms.retryDelayMs ?? undefined, Math.random()),
      timeoutMs: terms.timeoutMs,
    }).finally(() => {
      release();
      permit.answered();
    });
    const hasOwnRun =
      result.state === 'deadLettered' ||
      (result.state !== 'waiting' && (terms.hasOwnRun?.(begun) ?? false));
    await store(pipeline, { ...result, hasOwnRun }, stopping);
  } finally {
    permit.leave();
  }
}

/** Takes a slot for an attempt that has begun. Without a free slot, cancels the attempt. */
async function permitBegun(
  pipeline: DeliveryPipeline,
  { onNoSlot }: FirstAttemptTerms,
  { begun = null, permit = null }: Member,
): Promise<PermittedAttempt | null> {
  if (begun === null || permit === null) return null;
  const release = pipeline.slots.tryTake(receiverOf(begun), begun.subscriptionId);
  if (release !== null) return { begun, release, permit: holdPermit(pipeline, permit) };
  onNoSlot?.();
  await pipeline.cancel(begun).finally(permit);
  return null;
}

/**
 * Begins the attempt only with a slot and a permit, so that few attempts are under way when a
 * worker dies. Takes the slot first, so that a wait for a slow receiver takes no permit.
 */
async function acquireSlotFirst(
  pipeline: DeliveryPipeline,
  { batchId }: FirstAttemptTerms,
  member: Member,
  passEnd: AbortSignal,
): Promise<PermittedAttempt | null> {
  const { deliveryId, subscriptionId: owner } = member;
  const receiver = receiverOf(member);
  const release = await pipeline.slots.take(receiver, { owner, signal: passEnd });
  if (release === null) return null;
  const taken = await pipeline.recent.take({ signal: passEnd });
  if (taken === null) {
    release();
    return null;
  }
  const leave = (): void => {
    release();
    taken();
  };
  // A batch makes the next attempt of its deliveries, whatever number it has.
  const attempt = { deliveryId, after: null, batchId };
  const begun = await beginWithSlot(pipeline, attempt, receiver).catch((error: unknown) => {
    leave();
    throw error;
  });
  if (typeof begun !== 'string') return { begun, release, permit: holdPermit(pipeline, taken) };
  leave();
  return null;
}

/** Retries until the result is stored, so that an outage of Postgres loses no result. */
async function store(
  pipeline: DeliveryPipeline,
  result: AnsweredAttempt,
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
