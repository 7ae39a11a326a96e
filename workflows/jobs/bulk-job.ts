import * as workflow from '@temporalio/workflow';
import type { JobActivities } from '../../activities/bulk-job.ts';
import type { BulkJobInput, JobProgress } from './bulk-job-messages.ts';
import { batchOptions, runInBatches } from '../lib/job-run.ts';

/** Items of one batch, whose offers are locked for some hundred milliseconds. */
const batchSize = 250;

/** Runs the items of a bulk job in batches, each by one transaction, until the job has ended. */
export const bulkJob = (input: BulkJobInput): Promise<JobProgress> =>
  runInBatches(
    (summary) =>
      workflow
        .proxyActivities<JobActivities>(batchOptions(input.vendorId, summary))
        .runJobBatch({ jobId: input.jobId, limit: batchSize }),
    () => workflow.continueAsNew<typeof bulkJob>(input),
  );
