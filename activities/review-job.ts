import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { runReviewBatch } from '../commands/jobs/run-review-batch.ts';
import type { JobSettings } from '../commands/jobs/isolate-failures.ts';
import type { Sql } from '../db/core/client.ts';
import type { ReviewJob } from '../db/jobs/job-row.ts';
import { isOpenJob } from '../domain/jobs/job.ts';
import { progressOf } from './bulk-job.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { JobProgress } from '../workflows/jobs/bulk-job-messages.ts';

/** Items of one transaction. Single decisions on offers of their vendor wait for it. */
const transactionItems = 25;
/**
 * The longest pause after a transaction. Other decisions run in the pause, which is as long as the
 * transaction took.
 */
const pauseMaxMs = 250;

export type ReviewJobActivities = {
  /**
   * Runs the next items of a review job, `limit` or a few more, in transactions of up to 25.
   * Idempotent: Postgres knows which items have run.
   */
  readonly runReviewJobBatch: (input: {
    readonly jobId: string;
    readonly limit: number;
  }) => Promise<JobProgress>;
};

export const createReviewJobActivities = ({
  sql,
  log,
}: {
  readonly sql: Sql;
  readonly log: Logger;
}): ReviewJobActivities => ({
  runReviewJobBatch: async ({ jobId, limit }) => {
    const settings: JobSettings = {
      onUnexpected: (error, item) =>
        log.error({ err: error, ...item }, 'an item of a review job failed with INTERNAL_ERROR'),
    };
    const job = await withHeartbeat((signal) =>
      runReviewTransactions(sql, { jobId, limit, signal }, settings),
    );
    return progressOf(job, job?.action ?? '');
  },
});

/**
 * Runs the next items of a review job, `limit` or a few more, by short transactions with pauses
 * between them, and returns the job; null for an unknown one. Ends early when `signal` aborts.
 */
export async function runReviewTransactions(
  sql: Sql,
  {
    jobId,
    limit,
    signal,
  }: { readonly jobId: string; readonly limit: number; readonly signal: AbortSignal },
  settings: JobSettings,
): Promise<ReviewJob | null> {
  for (let run = 0; ;) {
    const begunAt = performance.now();
    const batch = await runReviewBatch(sql, { jobId, limit: transactionItems }, settings);
    if (batch === null) return null;
    run += batch.run;
    if (!isOpenJob(batch.job.state) || run >= limit || signal.aborted) return batch.job;
    await delay(Math.min(performance.now() - begunAt, pauseMaxMs));
  }
}
