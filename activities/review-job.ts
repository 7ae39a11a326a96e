import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { runReviewBatch, type ReviewSettings } from '../commands/jobs/run-review-batch.ts';
import type { Sql } from '../db/core/client.ts';
import { progressOf } from './bulk-job.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { JobProgress } from '../workflows/bulk-job-messages.ts';

/** Items of one transaction. Single decisions on offers of their vendor wait for it (D103). */
const transactionItems = 25;
/** The longest pause after a transaction, which is as long as that took: others get their turn. */
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
    const settings: ReviewSettings = {
      onUnexpected: (error, item) =>
        log.error({ err: error, ...item }, 'an item of a review job failed'),
    };
    const heartbeat = startHeartbeat();
    try {
      for (let run = 0; ;) {
        const begunAt = performance.now();
        const batch = await runReviewBatch(sql, { jobId, limit: transactionItems }, settings);
        run += batch?.run ?? 0;
        const progress = progressOf(batch?.job ?? null, batch?.job.action ?? '');
        if (progress.isOver || run >= limit || heartbeat.signal.aborted) return progress;
        await delay(Math.min(performance.now() - begunAt, pauseMaxMs));
      }
    } finally {
      heartbeat.stop();
    }
  },
});
