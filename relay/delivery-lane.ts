import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import type { DeliveryPipeline } from '../activities/deliveries/delivery-pipeline.ts';
import { makeFirstAttempt, type AttemptLimits } from '../activities/deliveries/first-attempt.ts';
import type { Release } from '../activities/deliveries/host-slots.ts';
import type { Sql } from '../db/core/client.ts';
import { claimFirstAttempts, type ClaimedDelivery } from '../db/webhooks/delivery-batches.ts';
import { createAdmission } from './admission.ts';
import { createHeldBatches, defaultLeaseMs, type HeldBatch } from './held-batches.ts';
import type { Backoff } from './poll-loop.ts';

/** Deliveries in one batch at most. */
export const batchSizeMax = 500;
/** A batch takes new members for this long, so that under load one run shows many deliveries. */
const openMs = 5000;
export const defaultSlotWaitMs = 2000;
/** The longest wait of a message whose notification was lost. */
const pollMs = 1000;
const permitsPollMs = 4;
/** One error for all: an abort without a reason creates an error with its stack. */
const passIsOver = new Error('the time for a slot is over');

export type DeliveryLaneDependencies = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly pipeline: DeliveryPipeline;
  /** The delay before a second attempt, without jitter; null for no second attempt. */
  readonly retryDelayMs: number | null;
  readonly timeoutMs: number;
  /** Runs a second that show one delivery each; 0 for none. Others are shown by their batch. */
  readonly runsPerSecond: number;
  /**
   * How long the run of a batch waits for a relay that no longer extends the lease. Default: 10 s.
   */
  readonly leaseMs?: number;
  /** After this wait for a slot, an attempt is left to the batch's run. Default: 2 s. */
  readonly slotWaitMs?: number;
  /** Called when the run of a batch may start. */
  readonly onReleased: () => void;
};

/** A claimed delivery, with the permit of its attempt if that has begun. */
type PermittedDelivery = ClaimedDelivery & { readonly permit: Release | null };

export type DeliveryLane = {
  /** Claims due deliveries and starts their attempts. */
  readonly round: () => Promise<Backoff>;
  readonly renewLeases: () => Promise<void>;
  /** Waits for the attempts under way. Leaves the others to their batches. */
  readonly stop: () => Promise<void>;
};

/**
 * Makes the first attempts of deliveries without Temporal: a workflow for each would cost some
 * fifty times as much. The deliveries form batches, whose runs start afterwards and make the
 * attempts that are left. A failed delivery continues in a run of its own.
 */
export function createDeliveryLane(dependencies: DeliveryLaneDependencies): DeliveryLane {
  const { sql, log, pipeline, retryDelayMs, timeoutMs, runsPerSecond, onReleased } = dependencies;
  const { leaseMs = defaultLeaseMs, slotWaitMs = defaultSlotWaitMs } = dependencies;
  const batches = createHeldBatches({ sql, log, leaseMs, onReleased });
  const admission = createAdmission(pipeline, runsPerSecond);
  const stopping = new AbortController();
  /** One for each claim: its attempts wait for slots until it aborts. */
  const passes = new Set<AbortController>();
  let open: HeldBatch | null = null;

  const reportLeft =
    (batchId: string, { deliveryId }: PermittedDelivery) =>
    (error: unknown): void => {
      log.warn(
        { err: error, deliveryId, batchId },
        'a first attempt could not be made; the run of its batch makes it',
      );
    };
  const attempt = (batchId: string, member: PermittedDelivery, limits: AttemptLimits) =>
    makeFirstAttempt(
      pipeline,
      {
        batchId,
        retryDelayMs,
        timeoutMs,
        hasOwnRun: admission.mayHaveOwnRun,
        onNoSlot: admission.lacksSlot,
      },
      member,
      limits,
    ).catch(reportLeft(batchId, member));
  /** Leaves a delivery to its batch's run, because too many are in hand. */
  const leaveToRun = async ({ begun, permit }: PermittedDelivery): Promise<void> => {
    if (begun !== null) await pipeline.cancel(begun).finally(permit ?? undefined);
  };
  const start = (batch: HeldBatch, deliveries: readonly PermittedDelivery[]): void => {
    const pass = new AbortController();
    setMaxListeners(0, pass.signal);
    if (stopping.signal.aborted) pass.abort(passIsOver);
    const timer = setTimeout(() => pass.abort(passIsOver), slotWaitMs);
    passes.add(pass);
    const limits = { stopping: stopping.signal, passEnd: pass.signal };
    const attempts = deliveries.map(async (member) => {
      const leave = admission.mayBegin(member.vendorId);
      if (leave === null) return leaveToRun(member).catch(reportLeft(batch.batchId, member));
      await attempt(batch.batchId, member, limits);
      leave();
    });
    for (const each of attempts) batches.track(batch, each);
    void Promise.all(attempts).finally(() => {
      clearTimeout(timer);
      passes.delete(pass);
    });
  };
  const round = async (): Promise<Backoff> => {
    if (open !== null && (open.size >= batchSizeMax || ageMs(open) >= openMs)) {
      batches.close(open);
      open = null;
    }
    const batchId = open?.batchId ?? uuidv7();
    const room = batchSizeMax - (open?.size ?? 0);
    const terms = admission.mayClaim(room);
    if (terms === null) return { ms: permitsPollMs };
    const { claimedMax, permits } = terms;
    const begunMax = permits.length;
    const leavePermits = (): void => {
      for (const leave of permits) leave();
    };
    const claim = await claimFirstAttempts(sql, { batchId, claimedMax, begunMax, leaseMs }).catch(
      (error: unknown) => {
        leavePermits();
        throw error;
      },
    );
    const deliveries = claim.deliveries.map((delivery) => ({
      ...delivery,
      permit: delivery.begun === null ? null : (permits.pop() ?? null),
    }));
    leavePermits();
    const hasBacklog = admission.claimed(terms, claim.messages);
    if (claim.messages > 0) {
      if (open !== null && open.batchId !== claim.batchId) {
        batches.close(open);
        open = null;
      }
      open ??= batches.open(claim.batchId);
      open.size += claim.messages;
      start(open, deliveries);
    }
    if (hasBacklog) return { ms: 0 };
    return { ms: open === null ? pollMs : Math.min(pollMs, Math.max(1, openMs - ageMs(open))) };
  };
  return {
    round,
    renewLeases: batches.renew,
    stop: async () => {
      stopping.abort();
      for (const pass of passes) pass.abort(passIsOver);
      await batches.stop();
    },
  };
}

const ageMs = ({ openedAt }: HeldBatch): number => performance.now() - openedAt;
