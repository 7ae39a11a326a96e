import * as workflow from '@temporalio/workflow';
import type { ReviewJobActivities } from '../../activities/review-job.ts';
import type { JobProgress } from './bulk-job-messages.ts';
import { batchOptions, runInBatches } from '../lib/job-run.ts';

/** Postgres has the items. `operatorId` is the id of the operator's row. */
export type ReviewJobInput = { readonly jobId: string; readonly operatorId: string };

/** Items of one batch, which takes several short transactions. */
const batchSize = 500;

/** Runs the items of a review job in batches, until the job has ended. */
export const reviewJob = (input: ReviewJobInput): Promise<JobProgress> =>
  runInBatches(
    (summary) =>
      workflow
        .proxyActivities<ReviewJobActivities>(batchOptions(input.operatorId, summary))
        .runReviewJobBatch({ jobId: input.jobId, limit: batchSize }),
    () => workflow.continueAsNew<typeof reviewJob>(input),
  );
