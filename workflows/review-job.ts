import * as workflow from '@temporalio/workflow';
import type { ReviewJobActivities } from '../activities/review-job.ts';
import type { JobProgress } from './bulk-job-messages.ts';
import { batchOptions, runInBatches } from './lib/job-run.ts';
import type { ReviewJobInput } from './review-job-messages.ts';

/** Items of one batch. Single decisions on offers of its vendor wait for it (D103). */
const batchSize = 50;

/**
 * Runs the items of a review job in batches, each by one transaction for one vendor, until the job
 * has ended.
 */
export const reviewJob = (input: ReviewJobInput): Promise<JobProgress> =>
  runInBatches(
    (summary) =>
      workflow
        .proxyActivities<ReviewJobActivities>(batchOptions(input.operatorId, summary))
        .runReviewJobBatch({ jobId: input.jobId, limit: batchSize }),
    () => workflow.continueAsNew<typeof reviewJob>(input),
  );
