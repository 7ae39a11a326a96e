import type { Queryable } from '../../db/core/client.ts';
import type { Columns } from '../../db/core/columns.ts';
import { startNextJob, type JobLine } from '../../db/jobs/job-lines.ts';
import type { Progress } from '../../db/jobs/job-row.ts';
import { updateJob } from '../../db/jobs/jobs.ts';
import { isOpenJob, stateAfterBatch } from '../../domain/jobs/job.ts';

/**
 * Adds the results of a batch to the counts of its locked job, in the transaction of their effects,
 * and returns the job. If the job has ended, starts its owner's next one.
 */
export async function advanceJob<TJob extends Progress & { readonly id: string }>(
  sql: Queryable,
  job: TJob,
  results: readonly { readonly state: string }[],
  {
    columns,
    line,
    ownerId,
  }: { readonly columns: Columns<TJob>; readonly line: JobLine; readonly ownerId: string },
): Promise<TJob> {
  const failed = results.filter(({ state }) => state !== 'SUCCESS').length;
  const done = results.length - failed;
  const left = job.itemCount - job.doneCount - job.failedCount - results.length;
  const state = stateAfterBatch(job.state, left);
  const after = await updateJob(sql, columns, job.id, { state, done, failed });
  if (!isOpenJob(state)) await startNextJob(sql, line, ownerId);
  return after;
}
