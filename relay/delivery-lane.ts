import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import type { DeliveryPipeline } from '../activities/deliveries/delivery-pipeline.ts';
import {
  makeFirstAttempt,
  tryTakePlace,
  type AttemptLimits,
} from '../activities/deliveries/first-attempt.ts';
import type { Release } from '../activities/deliveries/host-slots.ts';
import type { Sql } from '../db/core/client.ts';
import { claimFirstAttempts, type ClaimedDelivery } from '../db/webhooks/delivery-batches.ts';
import { createClaimLimits } from './claim-limits.ts';
import { createHeldBatches, defaultLeaseMs, type HeldBatch } from './held-batches.ts';
import type { Backoff } from './poll-loop.ts';
import { createRunBudget } from './run-budget.ts';

/** Deliveries in one batch at most. */
export const batchSizeMax = 500;
/** A batch takes new members for this long, so that under load one run shows many deliveries. */
const openMs = 5000;
const defaultSlotWaitMs = 2000;
/**
 * The most deliveries in hand of one vendor, and of all. The batch's run makes the attempts of
 * others.
 */
const ofVendorMax = 1000;
const inHandMax = 5000;
/** The longest wait of a message whose notification was lost. */
const pollMs = 1000;
/** In a backlog, a claim waits until this many attempts can begin with it. */
const backlogPermitsMin = 25;
const permitsPollMs = 4;

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
  const mayRun = createRunBudget(runsPerSecond);
  const inHand = createInHandCounter();
  const claimLimits = createClaimLimits(slotWaitMs);
  let open: HeldBatch | null = null;
  /**
   * Whether the latest claim left messages behind, and whether an attempt has found no slot since
   * then.
   */
  let hasBacklog = false;
  let lacksSlots = false;

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
        hasOwnRun: ({ isTest }) => runsPerSecond > 0 && (isTest || mayRun()),
        onNoSlot: () => {
          lacksSlots = true;
        },
      },
      member,
      limits,
    ).catch(reportLeft(batchId, member));
  /** Leaves a delivery to its batch's run, because too many are in hand. */
  const leaveToRun = async ({ begun, permit }: PermittedDelivery): Promise<void> => {
    if (begun !== null) await pipeline.cancel(begun).finally(permit ?? undefined);
  };
  const start = (batch: HeldBatch, deliveries: readonly PermittedDelivery[]): void => {
    const { limits, end } = claimLimits.ofClaim();
    const attempts = deliveries.map(async (member) => {
      if (!inHand.hasRoom(member.vendorId))
        return leaveToRun(member).catch(reportLeft(batch.batchId, member));
      const leave = inHand.enter(member.vendorId);
      await attempt(batch.batchId, member, limits);
      leave();
    });
    for (const each of attempts) batches.track(batch, each);
    void Promise.all(attempts).finally(end);
  };
  const round = async (): Promise<Backoff> => {
    if (open !== null && (open.size >= batchSizeMax || ageMs(open) >= openMs)) {
      batches.close(open);
      open = null;
    }
    const batchId = open?.batchId ?? uuidv7();
    const room = batchSizeMax - (open?.size ?? 0);
    const permits = takePermits(pipeline, room);
    const begunMax = permits.length;
    if (!lacksSlots && begunMax < Math.min(room, hasBacklog ? backlogPermitsMin : 1)) {
      for (const leave of permits) leave();
      return { ms: permitsPollMs };
    }
    // The claim begins the attempts of all its deliveries. If slow receivers have no free slots, it
    // claims more deliveries than it begins, so that deliveries to other receivers do not wait
    // behind.
    const claimedMax = lacksSlots ? room : begunMax;
    const claim = await claimFirstAttempts(sql, { batchId, claimedMax, begunMax, leaseMs }).catch(
      (error: unknown) => {
        for (const leave of permits) leave();
        throw error;
      },
    );
    const deliveries = claim.deliveries.map((delivery) => ({
      ...delivery,
      permit: delivery.begun === null ? null : (permits.pop() ?? null),
    }));
    for (const leave of permits) leave();
    hasBacklog = claim.messages === claimedMax;
    if (!hasBacklog) lacksSlots = false;
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
      claimLimits.stop();
      await batches.stop();
    },
  };
}

/**
 * Takes free permits for the attempts that a claim begins itself. The other attempts begin with a
 * slot.
 */
function takePermits(pipeline: DeliveryPipeline, permitsMax: number): Release[] {
  const permits: Release[] = [];
  for (;;) {
    const permit = permits.length < permitsMax ? tryTakePlace(pipeline) : null;
    if (permit === null) return permits;
    permits.push(permit);
  }
}

const ageMs = ({ openedAt }: HeldBatch): number => performance.now() - openedAt;

/** Counts deliveries in hand for each vendor, so that one vendor cannot use the whole limit. */
function createInHandCounter() {
  const ofVendors = new Map<string, number>();
  let total = 0;
  const add = (vendorId: string, count: number): void => {
    const ofVendor = (ofVendors.get(vendorId) ?? 0) + count;
    if (ofVendor === 0) ofVendors.delete(vendorId);
    else ofVendors.set(vendorId, ofVendor);
    total += count;
  };
  return {
    hasRoom: (vendorId: string): boolean =>
      total < inHandMax && (ofVendors.get(vendorId) ?? 0) < ofVendorMax,
    enter: (vendorId: string): (() => void) => {
      add(vendorId, 1);
      return () => add(vendorId, -1);
    },
  };
}
