import type { Logger } from 'pino';
import { runReviewBatch } from '../commands/jobs/run-review-batch.ts';
import type { Sql } from '../db/core/client.ts';
import { progressOf } from './bulk-job.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { JobProgress } from '../workflows/bulk-job-messages.ts';

export type ReviewJobActivities = {
  /**
   * Runs the next items of a review job, at most `limit`, by one transaction. Idempotent: Postgres
   * knows which items have run.
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
  runReviewJobBatch: async (input) => {
    const heartbeat = startHeartbeat();
    const job = await runReviewBatch(sql, input, {
      onUnexpected: (error, item) =>
        log.error({ err: error, ...item }, 'an item of a review job failed'),
    }).finally(heartbeat.stop);
    return progressOf(job, job?.action ?? '');
  },
});
