import type { Logger } from 'pino';
import type { RunningBatches } from '../commands/jobs/running-batches.ts';
import { createPauses, type Pause } from '../commands/jobs/pauses.ts';
import { runBatch, transactionItems } from '../commands/jobs/run-batch.ts';
import type { ItemSettings } from '../commands/jobs/run-items.ts';
import type { Sql } from '../db/core/client.ts';
import type { Job, Progress } from '../db/jobs/job-row.ts';
import { isOpenJob } from '../domain/jobs/job.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { JobProgress } from '../workflows/jobs/bulk-job-messages.ts';

/** The longest pause after a transaction. */
const pauseMaxMs = 150;
/** A batch begins no transaction after this time, so that it ends well before its time limit. */
const batchMaxMs = 5000;

/** The next items of a job to run, at most `limit`. */
export type JobBatch = { readonly jobId: string; readonly limit: number };

export type JobDependencies = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly vatRateBasisPoints: number;
  /** The part of the time in which items run; the worker pauses for the other part. */
  readonly jobWorkPercent: number;
  readonly runningBatches: RunningBatches;
};

export const createJobActivities = ({
  sql,
  log,
  vatRateBasisPoints,
  jobWorkPercent,
  runningBatches,
}: JobDependencies) => ({
  /**
   * Runs the next items of a job for some seconds at most, by short transactions with pauses after
   * them. Idempotent: Postgres knows which items have run.
   */
  runJobBatch: async (input: JobBatch): Promise<JobProgress> => {
    const settings: ItemSettings = {
      vatRateBasisPoints,
      onUnexpected: (error, item) =>
        log.error({ err: error, ...item }, 'an item of a bulk job failed with INTERNAL_ERROR'),
    };
    const pause = createPauses(jobWorkPercent, pauseMaxMs);
    const job = await withHeartbeat((signal) =>
      runningBatches.run(() => runTransactions(sql, { ...input, signal, pause }, settings)),
    );
    return progressOf(job, job?.kind ?? '');
  },
});
export type JobActivities = ReturnType<typeof createJobActivities>;

/**
 * Runs the next items of a job, at most `limit`, by short transactions with pauses after them, and
 * returns the job; null for an unknown one. Ends early after some seconds, and when `signal`
 * aborts.
 */
export async function runTransactions(
  sql: Sql,
  {
    jobId,
    limit,
    signal,
    pause,
  }: JobBatch & { readonly signal: AbortSignal; readonly pause: Pause },
  settings: ItemSettings,
): Promise<Job | null> {
  const endsAt = performance.now() + batchMaxMs;
  for (let left = limit; ;) {
    const job = await runBatch(sql, { jobId, limit: left }, settings);
    if (job === null || !isOpenJob(job.state)) return job;
    left -= transactionItems(job);
    await pause(signal);
    if (left <= 0 || signal.aborted || performance.now() >= endsAt) return job;
  }
}

/** A job as its run shows it. `state` is null if the record has no such job. */
export function progressOf(job: Progress | null, kind: string): JobProgress {
  if (job === null) return { state: null, kind, done: 0, failed: 0, remaining: 0, isOver: true };
  const { state, itemCount, doneCount: done, failedCount: failed } = job;
  const remaining = itemCount - done - failed;
  return { state, kind, done, failed, remaining, isOver: !isOpenJob(state) };
}
