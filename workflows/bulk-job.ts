import * as workflow from '@temporalio/workflow';
import type { JobActivities } from '../activities/bulk-job.ts';
import { jobPriority, type BulkJobInput, type JobProgress } from './bulk-job-messages.ts';

/** Items of one batch, whose offers are locked for some hundred milliseconds. */
const batchSize = 250;

const activities = (input: BulkJobInput, summary: string) =>
  workflow.proxyActivities<JobActivities>({
    // A batch takes a fraction of a second, or some seconds item by item.
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '12 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' },
    priority: jobPriority(input),
    summary,
  });

/**
 * Runs the items of a bulk job in batches, each by one transaction, until the job has ended. Each
 * batch takes the items that Postgres has left, so the run needs no list and survives lost workers
 * and cancellation.
 */
export async function bulkJob(input: BulkJobInput): Promise<JobProgress> {
  let summary = 'the first items';
  for (;;) {
    const progress: JobProgress = await activities(input, summary).runJobBatch({
      jobId: input.jobId,
      limit: batchSize,
    });
    const { state, kind, done, failed, remaining } = progress;
    summary = `after ${done + failed} items`;
    workflow.setCurrentDetails(
      state === null
        ? 'The record has no such job.'
        : `\`${kind}\`, ${state}: **${done}** items done, **${failed}** failed, ${remaining} remain.`,
    );
    if (progress.isOver) return progress;
    if (workflow.workflowInfo().continueAsNewSuggested) {
      await workflow.continueAsNew<typeof bulkJob>(input);
    }
  }
}
