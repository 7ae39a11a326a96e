import * as workflow from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/common';
import { jobPriority, type JobProgress } from '../jobs/bulk-job-messages.ts';

export const batchOptions = (ownerId: string, summary: string): ActivityOptions => ({
  // A batch takes some seconds at most, and its last transaction may wait for locks.
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '12 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' },
  priority: jobPriority(ownerId),
  summary,
});

/**
 * Runs the items of a job in batches until the job has ended, and shows its progress. Each batch
 * takes the items that Postgres has left, so the run needs no list and survives lost workers and
 * cancellation.
 */
export async function runInBatches(
  runBatch: (summary: string) => Promise<JobProgress>,
  continueAsNew: () => Promise<never>,
): Promise<JobProgress> {
  let summary = 'the first items';
  for (;;) {
    const progress = await runBatch(summary);
    const { state, kind, done, failed, remaining } = progress;
    summary = `after ${done + failed} items`;
    workflow.setCurrentDetails(
      state === null
        ? 'The record has no such job.'
        : `\`${kind}\`, ${state}: **${done}** items done, **${failed}** failed, ${remaining} remain.`,
    );
    if (progress.isOver) return progress;
    if (workflow.workflowInfo().continueAsNewSuggested) await continueAsNew();
  }
}
