import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { inQueueSpan } from './attempt-spans.ts';
import type { DeliveryPipeline } from './delivery-pipeline.ts';
import type { Release } from './host-slots.ts';
import { createQueueSlots } from './queue-slots.ts';
import { sendAttempt } from './send-attempt.ts';
import { showSuccess } from './show-success.ts';
import { isPassingFailure } from '../db/core/failure.ts';
import type { Sql } from '../db/core/client.ts';
import type { AttemptWithResponse } from '../db/webhooks/attempts/record-attempts.ts';
import {
  claimDeliveries,
  extendLeases,
  findMissed,
  releaseClaims,
  type ClaimedDelivery,
} from '../db/webhooks/delivery-queue.ts';
import { jitteredDelayMs } from '../domain/webhooks/jitter.ts';
import { SenderLost } from '../guardrail/send/send.ts';
import { untilWoken, type Backoff } from '../relay/poll-loop.ts';
import type { HandleMessage } from '../relay/relay-messages.ts';
import { createQueueWalk } from './queue-walk.ts';
import { createRunBudget } from '../relay/run-budget.ts';

/** Another worker claims a delivery this long after its worker last extended the lease. */
export const defaultLeaseMs = 10_000;
/** Deliveries of one claim, and all whose result is not stored. */
const claimedMax = 100;
const inHandMax = 5000;
/** An attempt that takes longer gets a row of its own, and gives up its permit. */
const recentMs = 150;
/** The wait before a delivery is claimed again that a fault of the gateway kept from being sent. */
const faultDelayMs = 5000;
const permitsPollMs = 4;

export type DeliveryLaneDependencies = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly pipeline: DeliveryPipeline;
  /** The delay before a second attempt, without jitter; null for no second attempt. */
  readonly retryDelayMs: number | null;
  readonly timeoutMs: number;
  /** Runs a second that show a delivery which succeeded; 0 for none. */
  readonly runsPerSecond: number;
  /** Starts such a run. */
  readonly handleMessage: HandleMessage;
  readonly leaseMs?: number;
  /** Called when a slot is free for which deliveries may wait. */
  readonly onFree?: () => void;
};

/**
 * Makes the first attempts of deliveries without Temporal: a workflow for each would cost some
 * fifty times as much. A claimed delivery is sent at once. One that fails continues in a run.
 */
export function createDeliveryLane(dependencies: DeliveryLaneDependencies) {
  const { sql, log, pipeline, retryDelayMs, timeoutMs, runsPerSecond } = dependencies;
  const { leaseMs = defaultLeaseMs, onFree } = dependencies;
  const renewalMs = 0.3 * leaseMs;
  const mayRun = createRunBudget(runsPerSecond);
  /** The claims whose result is not stored, with the time of their latest lease. */
  const inHand = new Map<ClaimedDelivery, number>();
  const work = new Set<Promise<void>>();
  const slots = createQueueSlots(pipeline.slots, () => onFree?.());
  const walk = createQueueWalk();
  let isStopping = false;

  const renew = async (): Promise<void> => {
    const now = performance.now();
    const due = [...inHand].filter(([, leasedAt]) => now - leasedAt >= 0.8 * renewalMs);
    if (due.length === 0) return;
    const claims = due.map(([claim]) => claim);
    await extendLeases(sql, claims, leaseMs);
    for (const claim of claims) if (inHand.has(claim)) inHand.set(claim, now);
  };
  const renewing = setInterval(() => {
    renew().catch((error: unknown) => {
      log.warn({ err: error }, 'cannot extend the leases of deliveries; retrying');
    });
  }, renewalMs).unref();

  const hasOwnRun = ({ state }: AttemptWithResponse, { isTest }: ClaimedDelivery): boolean =>
    state === 'deadLettered' || (state !== 'waiting' && runsPerSecond > 0 && (isTest || mayRun()));
  /**
   * Retries until the result is stored, so that an outage of Postgres loses no result. Returns
   * whether it counts.
   */
  const store = async (result: AttemptWithResponse): Promise<boolean> => {
    for (;;) {
      try {
        const recorded = await pipeline.record(result);
        if (recorded === null)
          log.warn(
            { deliveryId: result.deliveryId, attempt: result.attemptNumber },
            'the result of an attempt does not count: the delivery is claimed again, or gone',
          );
        return recorded !== null;
      } catch (error) {
        if (!isPassingFailure(error) || isStopping) throw error;
        await delay(500);
      }
    }
  };
  const giveBack = async (claim: ClaimedDelivery): Promise<void> => {
    await releaseClaims(sql, [claim], 0);
    walk.add(new Map([[claim.subscriptionId, claim.queuedAt]]));
    onFree?.();
  };
  const make = async (claim: ClaimedDelivery, permit: Release, slot: Release): Promise<void> => {
    let hasPermit = true;
    let isOver = false;
    const giveWay = async (): Promise<void> => {
      // A sender that has yet to start, or is busy, has sent nothing that waits for a response.
      await pipeline.sender.untilBegun?.();
      if (isOver) return;
      hasPermit = false;
      permit();
      await pipeline.show(claim);
    };
    // Slow receivers take few permits.
    const timer = setTimeout(() => {
      giveWay().catch((error: unknown) => {
        log.warn({ err: error, deliveryId: claim.deliveryId }, 'cannot show an attempt');
      });
    }, recentMs);
    const end = (): void => {
      clearTimeout(timer);
      isOver = true;
    };
    const { subscriptionId, queuedAt, fence, claimedAt } = claim;
    const attempted = await sendAttempt(pipeline, claim, {
      retryDelayMs: claim.isTest ? null : jitteredDelayMs(retryDelayMs ?? undefined, Math.random()),
      timeoutMs,
    })
      .catch(async (error: unknown) => {
        end();
        // Without the sender, the request may have been sent: its lease runs out.
        if (!(error instanceof SenderLost)) await releaseClaims(sql, [claim], faultDelayMs);
        throw error;
      })
      .finally(() => {
        end();
        slot();
      });
    const held = hasPermit ? permit : pipeline.recent.occupy();
    const hasRun = hasOwnRun(attempted, claim);
    // A later attempt follows one whose run may be open.
    const isShown = hasRun && attempted.state === 'succeeded' && claim.attemptNumber === 1;
    const result = {
      ...attempted,
      subscriptionId,
      queuedAt,
      fence,
      claimedAt,
      hasOwnRun: hasRun && !isShown,
      isAwaited: isShown || claim.isTest,
    };
    const isStored = await store(result).finally(held);
    if (isStored && isShown) await showSuccess(dependencies, claim, result);
  };
  const start = (claim: ClaimedDelivery, permit: Release): void => {
    inHand.set(claim, performance.now());
    const slot = slots.tryTake(claim);
    const attempt = inQueueSpan(pipeline, claim, () =>
      // Without a slot, the other subscriptions of the vendor at this host have all.
      slot === null ? giveBack(claim) : make(claim, permit, slot),
    )
      .catch((error: unknown) => {
        const { deliveryId } = claim;
        log.warn({ err: error, deliveryId }, 'a first attempt could not be made; retrying later');
      })
      .finally(() => {
        permit();
        inHand.delete(claim);
        work.delete(attempt);
      });
    work.add(attempt);
  };
  /** Claims due deliveries and starts their attempts. */
  const round = async (): Promise<Backoff> => {
    // After an outage of Postgres, no delivery of this process counts as abandoned.
    await renew();
    const permits = takePermits(pipeline, Math.min(claimedMax, inHandMax - inHand.size));
    if (permits.length === 0) return { ms: permitsPollMs };
    const terms = { max: permits.length, ofEach: pipeline.slots.free('', ''), leaseMs };
    try {
      const from = walk.next();
      const claimed = await claimDeliveries(sql, { ...from, ...terms, busy: slots.busy() });
      for (const claim of claimed.deliveries) {
        const permit = permits.pop();
        if (permit !== undefined) start(claim, permit);
      }
      const hasSlot = slots.settle(from.walkedTo, claimed);
      if (walk.advance(claimed)) return { ms: 0 };
      return { ms: hasSlot ? permitsPollMs : untilWoken };
    } finally {
      for (const permit of permits) permit();
    }
  };
  /** Looks for deliveries that rounds have missed; returns whether there are any. */
  const look = async (): Promise<boolean> => {
    const missed = await findMissed(sql, walk.since());
    const late = missed.filter(({ isLate }) => isLate);
    walk.add(new Map(late.map((each) => [each.subscriptionId, each.since])));
    return missed.length > 0;
  };
  return {
    round,
    look,
    /** Waits for the attempts under way. */
    stop: async (): Promise<void> => {
      isStopping = true;
      slots.stop();
      while (work.size > 0) await Promise.all(work);
      clearInterval(renewing);
    },
  };
}

function takePermits({ recent }: DeliveryPipeline, max: number): Release[] {
  const permits: Release[] = [];
  while (permits.length < max) {
    const permit = recent.tryTake();
    if (permit === null) break;
    permits.push(permit);
  }
  return permits;
}
