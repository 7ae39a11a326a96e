import type { Queryable } from '../../db/core/client.ts';
import type { JobLineOf } from '../../db/jobs/job-lines.ts';
import type { Progress } from '../../db/jobs/job-row.ts';
import { updateJob } from '../../db/jobs/jobs.ts';
import { stateAfterBatch } from '../../domain/jobs/job.ts';

/**
 * Adds the results of a batch to the counts of its locked job, in the transaction of their effects,
 * and returns the job.
 */
export function advanceJob<TJob extends Progress & { readonly id: string }>(
  sql: Queryable,
  line: JobLineOf<TJob>,
  job: TJob,
  results: readonly { readonly state: string }[],
): Promise<TJob> {
  const failed = results.filter(({ state }) => state !== 'SUCCESS').length;
  const done = results.length - failed;
  const left = job.itemCount - job.doneCount - job.failedCount - results.length;
  return updateJob(sql, line, job, stateAfterBatch(left), { done, failed });
}
