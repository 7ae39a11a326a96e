import * as workflow from '@temporalio/workflow';
import type { JobActivities } from '../../activities/bulk-job.ts';
import type { BulkJobInput, JobProgress } from './bulk-job-messages.ts';
import { batchOptions, runInBatches } from '../lib/job-run.ts';

/**
 * Items of one batch, which takes many short transactions. A batch takes Temporal and the worker
 * more processor time than a hundred items do.
 */
const batchSize = 1000;

/** Runs the items of a bulk job in batches, until the job has ended. */
export const bulkJob = (input: BulkJobInput): Promise<JobProgress> =>
  runInBatches(
    (summary) =>
      workflow
        .proxyActivities<JobActivities>(batchOptions(input.vendorId, summary))
        .runJobBatch({ jobId: input.jobId, limit: batchSize }),
    () => workflow.continueAsNew<typeof bulkJob>(input),
  );
