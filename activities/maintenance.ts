import type { Logger } from 'pino';
import type { Sql } from '../db/core/client.ts';
import { valueOf } from '../db/core/rows.ts';
import type { RunContext } from '../doctor/check.ts';
import { reconcile, type Reconciled } from '../doctor/reconcile.ts';
import { prunedJobsMax, pruneJobs } from '../db/jobs/job-results.ts';
import { pruneBatchSize, pruneWebhookHistory, type Pruned } from '../db/webhooks/retention.ts';
import { withHeartbeat } from './heartbeat.ts';

/** The dependencies of the maintenance activities. Their limits are the worker's, not an input. */
export type MaintenanceDependencies = RunContext & {
  readonly log: Logger;
  /** The time that the webhook history is kept. */
  readonly retentionMs: number;
  /** The time that a job is kept after its end. */
  readonly jobRetentionMs: number;
};

export const createMaintenanceActivities = ({
  sql,
  runs,
  log,
  retentionMs,
  jobRetentionMs,
}: MaintenanceDependencies) => ({
  /** Deletes webhook history and jobs past their retention, in batches; logs the numbers. */
  pruneWebhookHistory: (): Promise<Pruned> =>
    withHeartbeat(async (stopping) => {
      const before = await endOfRetention(sql, retentionMs);
      const pruned = await pruneOldHistory(sql, before, stopping);
      if (Object.values(pruned).some((rows) => rows > 0))
        log.info({ before, ...pruned }, 'deleted the webhook history past its retention');
      const jobs = await pruneOldJobs(sql, await endOfRetention(sql, jobRetentionMs), stopping);
      if (jobs > 0) log.info({ jobs }, 'deleted bulk jobs and review jobs past their retention');
      return pruned;
    }),
  /** Compares the record with all runs, and repairs the runs. */
  reconcile: (): Promise<Reconciled> =>
    withHeartbeat(async (stopping) => {
      const repaired = await reconcile({ sql, runs }, stopping);
      if (Object.keys(repaired).length > 0)
        log.warn(repaired, 'repaired runs that were lost or differed from the record');
      return repaired;
    }),
});
export type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>;

/** By the clock of Postgres: a worker whose clock is ahead must not delete early. */
const endOfRetention = (sql: Sql, retentionMs: number): Promise<Date> =>
  valueOf(sql`select clock_timestamp() - ${retentionMs} * interval '1 millisecond'`);

/** Prunes batch after batch, until a batch is not full or the activity must end. */
async function pruneOldHistory(sql: Sql, before: Date, stopping: AbortSignal): Promise<Pruned> {
  let total: Pruned | null = null;
  for (;;) {
    const batch = await pruneWebhookHistory(sql, before);
    total = total === null ? batch : sum(total, batch);
    const isFull = Math.max(...Object.values(batch)) >= pruneBatchSize;
    if (!isFull || stopping.aborted) return total;
  }
}

/** As {@link pruneOldHistory}, one kind of jobs after the other; returns their number. */
async function pruneOldJobs(sql: Sql, before: Date, stopping: AbortSignal): Promise<number> {
  let jobs = 0;
  for (const table of ['bulk_jobs', 'review_jobs'] as const) {
    let pruned: number;
    do {
      pruned = await pruneJobs(sql, table, before);
      jobs += pruned;
    } while (pruned >= prunedJobsMax && !stopping.aborted);
  }
  return jobs;
}

const sum = (one: Pruned, other: Pruned): Pruned => ({
  deliveries: one.deliveries + other.deliveries,
  attempts: one.attempts + other.attempts,
  events: one.events + other.events,
  deliveryBatches: one.deliveryBatches + other.deliveryBatches,
  subscriptions: one.subscriptions + other.subscriptions,
});
