import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import type { DeliveryPipeline } from '../../activities/delivery-pipeline.ts';
import { makeFirstAttempt, tryTakePlace } from '../../activities/first-attempt.ts';
import type { Release } from '../../activities/host-slots.ts';
import type { Sql } from '../../db/core/client.ts';
import { claimFirstAttempts, type ClaimedDelivery } from '../../db/webhooks/delivery-batches.ts';
import { createHeldBatches, defaultLeaseMs, type HeldBatch } from './held-batches.ts';
import type { Backoff } from '../../outbox-relay/poll-loop.ts';
import { createRunBudget } from './run-budget.ts';

/** Deliveries in one batch at most. */
export const batchSizeMax = 500;
/** A batch takes new members for this long, so that under load one run shows many deliveries. */
const openMs = 5000;
const defaultSlotWaitMs = 2000;
/** Deliveries in hand of one vendor, and of all. Further ones are left to the batch's run. */
const ofVendorMax = 1000;
const inHandMax = 5000;
/** The longest wait of a message whose notification was lost. */
const pollMs = 1000;

export type DeliveryLaneDependencies = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly pipeline: DeliveryPipeline;
  /** The delay before a second attempt, without jitter; null for no second attempt. */
  readonly retryDelayMs: number | null;
  readonly timeoutMs: number;
  /** Runs a second that show one delivery each; 0 for none. Others are shown by their batch. */
  readonly runsPerSecond: number;
  /** How long the run of a batch waits for a relay that shows no sign. Default: 10 s. */
  readonly leaseMs?: number;
  /** An attempt that has not begun after this time is left to the batch's run. Default: 2 s. */
  readonly slotWaitMs?: number;
  /** Called when the run of a batch may start. */
  readonly onReleased: () => void;
};

/** A claimed delivery, with the place of its attempt if that has begun. */
type PlacedDelivery = ClaimedDelivery & { readonly place: Release | null };

export type DeliveryLane = {
  /** Claims due deliveries and starts their attempts. */
  readonly round: () => Promise<Backoff>;
  readonly renewLeases: () => Promise<void>;
  /** Waits for the attempts under way. Others are left to their batches. */
  readonly stop: () => Promise<void>;
};

/**
 * Makes the first attempts of deliveries, before Temporal knows of them: a workflow for each would
 * cost some fifty times as much. The deliveries form batches, whose runs start afterwards and make
 * what is left. A failed delivery continues in a run of its own.
 */
export function createDeliveryLane(dependencies: DeliveryLaneDependencies): DeliveryLane {
  const { sql, log, pipeline, retryDelayMs, timeoutMs, runsPerSecond, onReleased } = dependencies;
  const { leaseMs = defaultLeaseMs, slotWaitMs = defaultSlotWaitMs } = dependencies;
  const batches = createHeldBatches({ sql, log, leaseMs, onReleased });
  const mayRun = createRunBudget(runsPerSecond);
  const inHand = createInHandCounter();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  let open: HeldBatch | null = null;

  const attempt = (batchId: string, member: PlacedDelivery, passEnd: AbortSignal) =>
    makeFirstAttempt(
      pipeline,
      {
        batchId,
        retryDelayMs,
        timeoutMs,
        hasOwnRun: ({ isTest }) => runsPerSecond > 0 && (isTest || mayRun()),
      },
      member,
      { passEnd, stopping: stopping.signal },
    ).catch((error: unknown) => {
      const { deliveryId } = member;
      log.warn({ err: error, deliveryId, batchId }, 'a first attempt is left to its batch');
    });
  const passes = new Set<AbortController>();
  const start = (batch: HeldBatch, deliveries: readonly PlacedDelivery[]): void => {
    const pass = new AbortController();
    setMaxListeners(0, pass.signal);
    const timer = setTimeout(() => pass.abort(passIsOver), slotWaitMs);
    passes.add(pass);
    const attempts = deliveries
      .filter(({ begun, vendorId }) => begun !== null || inHand.hasRoom(vendorId))
      .map(async (member) => {
        const leave = inHand.enter(member.vendorId);
        await attempt(batch.batchId, member, pass.signal);
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
    const claimedMax = batchSizeMax - (open?.size ?? 0);
    const places = takePlaces(pipeline, claimedMax);
    const begunMax = places.length;
    const claim = await claimFirstAttempts(sql, { batchId, claimedMax, begunMax, leaseMs }).catch(
      (error: unknown) => {
        for (const leave of places) leave();
        throw error;
      },
    );
    const deliveries = claim.deliveries.map((delivery) => ({
      ...delivery,
      place: delivery.begun === null ? null : (places.pop() ?? null),
    }));
    for (const leave of places) leave();
    if (claim.messages > 0) {
      if (open !== null && open.batchId !== claim.batchId) {
        batches.close(open);
        open = null;
      }
      open ??= batches.open(claim.batchId);
      open.size += claim.messages;
      start(open, deliveries);
    }
    if (claim.messages === claimedMax) return { ms: 0 };
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

/** Takes free places for the attempts that a claim itself begins. Others begin with a slot. */
function takePlaces(pipeline: DeliveryPipeline, placesMax: number): Release[] {
  const places: Release[] = [];
  for (;;) {
    const place = places.length < placesMax ? tryTakePlace(pipeline) : null;
    if (place === null) return places;
    places.push(place);
  }
}

/** One reason for all: an abort without a reason creates an error with its stack. */
const passIsOver = new Error('the time for a slot is over');

const ageMs = ({ openedAt }: HeldBatch): number => performance.now() - openedAt;

/** Counts deliveries in hand for each vendor, so that one vendor's cannot take all the room. */
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
