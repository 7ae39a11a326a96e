import type { Logger } from 'pino';
import type { Sql } from '../db/core/client.ts';
import type { RunContext } from '../doctor/check.ts';
import { reconcile, type Reconciled } from '../doctor/reconcile.ts';
import { prunedJobsMax, pruneJobs } from '../db/jobs/job-results.ts';
import { pruneBatchSize, pruneWebhookHistory, type Pruned } from '../db/webhooks/retention.ts';
import { startHeartbeat } from './heartbeat.ts';

export type MaintenanceActivities = {
  /** Deletes the webhook history and bulk jobs past their retention, in batches; logs the numbers. */
  readonly pruneWebhookHistory: () => Promise<Pruned>;
  /** Compares the record with all runs, and repairs the runs. */
  readonly reconcile: () => Promise<Reconciled>;
};

/** The dependencies of the maintenance activities. Their limits are the worker's, not an input. */
export type MaintenanceDependencies = RunContext & {
  readonly log: Logger;
  /** The time that the webhook history is kept. */
  readonly retentionMs: number;
  /** The time that a bulk job is kept after its end. */
  readonly jobRetentionMs: number;
};

export const createMaintenanceActivities = ({
  sql,
  runs,
  log,
  retentionMs,
  jobRetentionMs,
}: MaintenanceDependencies): MaintenanceActivities => ({
  pruneWebhookHistory: async () => {
    const before = await endOfRetention(sql, retentionMs);
    const pruned = await pruneInBatches(sql, before);
    if (Object.values(pruned).some((rows) => rows > 0))
      log.info({ before, ...pruned }, 'deleted the webhook history past its retention');
    const jobs = await pruneOldJobs(sql, await endOfRetention(sql, jobRetentionMs));
    if (jobs > 0) log.info({ jobs }, 'deleted bulk jobs past their retention');
    return pruned;
  },
  reconcile: async () => {
    const heartbeat = startHeartbeat();
    try {
      const repaired = await reconcile({ sql, runs }, heartbeat.signal);
      if (Object.keys(repaired).length > 0) log.warn(repaired, 'repaired runs by the record');
      return repaired;
    } finally {
      heartbeat.stop();
    }
  },
});

/** By the clock of Postgres: a worker whose clock is ahead must not delete early. */
async function endOfRetention(sql: Sql, retentionMs: number): Promise<Date> {
  const [row] = await sql<[{ before: Date }]>`
    select clock_timestamp() - ${retentionMs} * interval '1 millisecond' as before`;
  return row.before;
}

async function pruneInBatches(sql: Sql, before: Date): Promise<Pruned> {
  const heartbeat = startHeartbeat();
  try {
    let total: Pruned | null = null;
    for (;;) {
      const batch = await pruneWebhookHistory(sql, before);
      total = total === null ? batch : sum(total, batch);
      const isDone = Math.max(...Object.values(batch)) < pruneBatchSize;
      if (isDone || heartbeat.signal.aborted) return total;
    }
  } finally {
    heartbeat.stop();
  }
}

async function pruneOldJobs(sql: Sql, before: Date): Promise<number> {
  const heartbeat = startHeartbeat();
  try {
    let total = 0;
    for (;;) {
      const pruned = await pruneJobs(sql, before);
      total += pruned;
      if (pruned < prunedJobsMax || heartbeat.signal.aborted) return total;
    }
  } finally {
    heartbeat.stop();
  }
}

const sum = (one: Pruned, other: Pruned): Pruned => ({
  deliveries: one.deliveries + other.deliveries,
  attempts: one.attempts + other.attempts,
  events: one.events + other.events,
  deliveryBatches: one.deliveryBatches + other.deliveryBatches,
  subscriptions: one.subscriptions + other.subscriptions,
});
