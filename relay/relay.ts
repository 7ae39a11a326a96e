import { keepListening } from '../db/core/listen.ts';
import { createDeliveryLane, type DeliveryLaneDependencies } from './delivery-lane.ts';
import { relayRound, type RelayDependencies } from './relay-batch.ts';
import { startRetryingLoop, type Backoff } from './poll-loop.ts';

/** Messages claimed at once. */
const batchSize = 100;
/** The runs of delivery batches that start at the same time. */
const batchRunsMax = 20;
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
/** The longest wait of a message whose notification was lost. */
const pollMs = 1000;
/** How long the relay leaves the messages of commands to the API, which hands them over itself. */
const handOverMs = 25;

export type Relay = {
  /** Waits for the attempts under way. Idempotent. */
  readonly stop: () => Promise<void>;
};

/**
 * Makes the first attempts of deliveries, and moves the other messages from the outbox to Temporal:
 * claims due messages, starts or signals their workflows, and deletes a message only after Temporal
 * has it. `databaseUrl` is for the notifications, which need a connection of their own.
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
  readonly deliveries: Omit<DeliveryLaneDependencies, 'sql' | 'log' | 'onReleased'>;
}): Relay {
  const { sql, log } = dependencies;
  const allowance = createAllowance(lowPriorityPerSecond, hasJobs);
  const start = (round: () => Promise<Backoff>) =>
    startRetryingLoop(round, {
      pollMs,
      onError: (error) => {
        log.warn({ err: error }, 'the relay cannot read the outbox; retrying');
      },
    });
  const deliveryLane = createDeliveryLane({
    ...deliveries,
    sql,
    log,
    onReleased: () => batchRuns.wake(),
  });
  const batchRuns = start(async () => {
    // Extends the leases first, so that no batch of this relay counts as abandoned after an outage
    // of Postgres.
    await deliveryLane.renewLeases();
    return relayRound(dependencies, {
      lane: 'batches',
      limit: batchRunsMax,
      lowPriorityMax: batchRunsMax,
      pollMs,
    });
  });
  const firstAttempts = start(deliveryLane.round);
  const rest = start(() =>
    relayRound(dependencies, {
      lane: 'rest',
      limit: batchSize,
      lowPriorityMax: allowance.take(),
      pollMs,
      nextMs: allowance.waitMs(),
    }),
  );
  let yielding: NodeJS.Timeout | null = null;
  const wakeAfterHandOver = (): void => {
    yielding ??= setTimeout(() => {
      yielding = null;
      rest.wake();
    }, handOverMs);
  };
  const listening = keepListening(databaseUrl, 'outbox', (messages) => {
    if (messages === 'commands') return wakeAfterHandOver();
    if (messages !== 'runs') firstAttempts.wake();
    if (messages !== 'deliveries') rest.wake();
  });
  const stop = async (): Promise<void> => {
    await Promise.all([firstAttempts.stop(), rest.stop()]);
    await deliveryLane.stop();
    await batchRuns.stop();
    await listening.stop();
    clearTimeout(yielding ?? undefined);
  };
  let stopped: Promise<void> | null = null;
  return { stop: () => (stopped ??= stop()) };
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
