import type { Queryable } from '../../db/core/client.ts';
import type { JobLineOf } from '../../db/jobs/job-lines.ts';
import { updateJob } from '../../db/jobs/jobs.ts';
import { moveJob, type JobState } from '../../domain/jobs/job.ts';
import { unwrap } from '../http/api-error.ts';

/**
 * Cancels a locked job; returns a cancelled one itself. Throws BUSINESS_BULK_JOB_INVALID_TRANSITION
 * for a finished one.
 */
export async function cancelJob<TJob extends { readonly id: string; readonly state: JobState }>(
  sql: Queryable,
  line: JobLineOf<TJob>,
  job: TJob,
): Promise<TJob> {
  if (job.state === 'Cancelled') return job;
  return updateJob(sql, line, job, unwrap(moveJob(job.state, 'cancel')));
}
