import { createPauses } from '../commands/jobs/pauses.ts';
import { runReviewBatch } from '../commands/jobs/run-review-batch.ts';
import type { JobSettings } from '../commands/jobs/isolate-failures.ts';
import { isOpenJob } from '../domain/jobs/job.ts';
import { progressOf, type JobBatch, type JobDependencies } from './bulk-job.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { JobProgress } from '../workflows/jobs/bulk-job-messages.ts';

/** Items of one transaction. Single decisions on offers of their vendor wait for it. */
const transactionItems = 25;
/** The pause after a transaction, in which other decisions run, is as long as it took. */
const workPercent = 50;
const pauseMaxMs = 250;

export const createReviewJobActivities = ({ sql, log }: Pick<JobDependencies, 'sql' | 'log'>) => ({
  /**
   * Runs the next items of a review job, `limit` or a few more, by short transactions with pauses
   * between them. Idempotent: Postgres knows which items have run.
   */
  runReviewJobBatch: async ({ jobId, limit }: JobBatch): Promise<JobProgress> => {
    const settings: JobSettings = {
      onUnexpected: (error, item) =>
        log.error({ err: error, ...item }, 'an item of a review job failed with INTERNAL_ERROR'),
    };
    const pause = createPauses(workPercent, pauseMaxMs);
    const job = await withHeartbeat(async (signal) => {
      for (let itemCount = 0; ;) {
        const batch = await runReviewBatch(sql, { jobId, limit: transactionItems }, settings);
        if (batch === null) return null;
        itemCount += batch.itemCount;
        if (!isOpenJob(batch.job.state) || itemCount >= limit || signal.aborted) return batch.job;
        await pause(signal);
      }
    });
    return progressOf(job, job?.action ?? '');
  },
});
export type ReviewJobActivities = ReturnType<typeof createReviewJobActivities>;
