import { keepListening } from '../db/core/listen.ts';
import { adoptDeliveries } from '../db/webhooks/delivery-batches.ts';
import { createDeliveryLane, type DeliveryLaneDependencies } from '../deliveries/delivery-lane.ts';
import { relayRound, type RelayDependencies } from './relay-messages.ts';
import { createOutboxWalk } from './outbox-walk.ts';
import { startRetryingLoop, startWatchedLoop } from './poll-loop.ts';

/** Messages claimed at once. */
const messagesMax = 100;
/** Slots that are released within this time wake the deliveries together. */
const slotsMs = 4;
/** Until the next look at what an earlier version left. */
const adoptionMs = 5000;
/**
 * All low-priority messages of a second at once would delay other calls. A start takes Temporal and
 * the worker some milliseconds of each core, so two at once would take both.
 */
const lowPriorityIntervalMs = 50;
/**
 * Beside a bulk job, low-priority messages go at a quarter of their rate. Many are of its own
 * offers, and their runs take more of the processors than the job.
 */
const besideJobs = 4;
/** The pause between two looks for messages and deliveries whose notification was lost. */
const pollMs = 1000;
/** How long the relay leaves the messages of commands to the API, which hands them over itself. */
const handOverMs = 25;

export type Relay = {
  /** Waits for the attempts under way. Idempotent. */
  readonly stop: () => Promise<void>;
};

/**
 * Makes the first attempts of deliveries, and moves the other messages from the outbox to Temporal.
 * It claims due messages, starts or signals their workflows, and deletes a message only after
 * Temporal has it. `databaseUrl` is for the notifications, which need a connection of their own.
 */
export function startRelay({
  databaseUrl,
  deliveries,
  lowPriorityPerSecond,
  hasJobs,
  ...dependencies
}: RelayDependencies & {
  readonly databaseUrl: string;
  readonly lowPriorityPerSecond: number;
  /** Whether this process runs items of bulk jobs. */
  readonly hasJobs: () => boolean;
  readonly deliveries: Omit<DeliveryLaneDependencies, keyof RelayDependencies | 'onFree'>;
}): Relay {
  const { sql, log } = dependencies;
  const allowance = createAllowance(lowPriorityPerSecond, hasJobs);
  const retrying = {
    pollMs,
    onError: (error: unknown): void => {
      log.warn({ err: error }, 'the relay cannot read the outbox; retrying');
    },
  };
  const wakeSoon = createWaker(slotsMs, () => firstAttempts.wake());
  const deliveryLane = createDeliveryLane({
    ...deliveries,
    ...dependencies,
    onFree: wakeSoon.wake,
  });
  const firstAttempts = startWatchedLoop(deliveryLane.round, deliveryLane.look, retrying);
  const adoption = startRetryingLoop(async () => {
    await adoptDeliveries(sql);
    return { ms: adoptionMs };
  }, retrying);
  const outbox = createOutboxWalk(sql, 'all');
  const messages = startWatchedLoop(
    () =>
      relayRound(dependencies, {
        lane: 'all',
        limit: messagesMax,
        lowPriorityMax: allowance.take(),
        since: outbox.since(),
        nextMs: allowance.waitMs(),
      }),
    outbox.look,
    retrying,
  );
  const wakeAfterHandOver = createWaker(handOverMs, () => messages.wake());
  const listening = keepListening(databaseUrl, 'outbox', (written) => {
    if (written === 'commands') return wakeAfterHandOver.wake();
    if (written !== 'runs') firstAttempts.wake();
    if (written !== 'deliveries') messages.wake();
  });
  const stop = async (): Promise<void> => {
    await Promise.all([firstAttempts, messages, adoption].map((loop) => loop.stop()));
    await deliveryLane.stop();
    await listening.stop();
    wakeSoon.stop();
    wakeAfterHandOver.stop();
  };
  let stopped: Promise<void> | null = null;
  return { stop: () => (stopped ??= stop()) };
}

/** Wakes once, `ms` after the first of several calls. */
function createWaker(ms: number, wake: () => void) {
  let timer: NodeJS.Timeout | null = null;
  return {
    wake: (): void => {
      timer ??= setTimeout(() => {
        timer = null;
        wake();
      }, ms);
    },
    stop: (): void => clearTimeout(timer ?? undefined),
  };
}

/** `take` returns the messages of an interval once in each interval, and 0 in between. */
function createAllowance(perSecond: number, hasJobs: () => boolean) {
  const max = Math.max(1, Math.round((perSecond * lowPriorityIntervalMs) / 1000));
  const intervalMs = (max * 1000) / perSecond;
  let nextAt = 0;
  return {
    take: (): number => {
      const now = performance.now();
      if (now < nextAt) return 0;
      nextAt = now + intervalMs * (hasJobs() ? besideJobs : 1);
      return max;
    },
    /** The time until the next interval. */
    waitMs: (): number => Math.max(1, Math.ceil(nextAt - performance.now())),
  };
}
