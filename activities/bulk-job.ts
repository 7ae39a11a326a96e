import type { Logger } from 'pino';
import { runBatch } from '../commands/jobs/run-batch.ts';
import type { Sql } from '../db/core/client.ts';
import type { Progress } from '../db/jobs/job-row.ts';
import { isOpenJob } from '../domain/jobs/job.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { JobProgress } from '../workflows/jobs/bulk-job-messages.ts';

export type JobActivities = {
  /**
   * Runs the next items of a job, at most `limit`, by one transaction. Idempotent: Postgres knows
   * which items have run.
   */
  readonly runJobBatch: (input: {
    readonly jobId: string;
    readonly limit: number;
  }) => Promise<JobProgress>;
};

export type JobDependencies = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly vatRateBasisPoints: number;
};

export const createJobActivities = ({
  sql,
  log,
  vatRateBasisPoints,
}: JobDependencies): JobActivities => ({
  runJobBatch: async (input) => {
    const heartbeat = startHeartbeat();
    const job = await runBatch(sql, input, {
      vatRateBasisPoints,
      onUnexpected: (error, item) =>
        log.error({ err: error, ...item }, 'an item of a bulk job failed with INTERNAL_ERROR'),
    }).finally(heartbeat.stop);
    return progressOf(job, job?.kind ?? '');
  },
});

/** A job as its run shows it. `state` is null if the record has no such job. */
export function progressOf(job: Progress | null, kind: string): JobProgress {
  if (job === null) return { state: null, kind, done: 0, failed: 0, remaining: 0, isOver: true };
  const { state, itemCount, doneCount: done, failedCount: failed } = job;
  const remaining = itemCount - done - failed;
  return { state, kind, done, failed, remaining, isOver: !isOpenJob(state) };
}
