import type { Sql } from '../../db/core/client.ts';
import { storeResults, takeItems } from '../../db/jobs/job-results.ts';
import type { Job } from '../../db/jobs/job-row.ts';
import { lockJob, lockJobLine, startFirstJob, updateJob } from '../../db/jobs/jobs.ts';
import { isOpenJob, moveJob, type JobAction, type JobState } from '../../domain/jobs/job.ts';
import { runItems, type RunSettings } from './run-items.ts';

/**
 * Runs the next items of a job by one transaction, at most `limit`, and answers the job afterwards;
 * null for an unknown one. The items leave the queue together with their effects and results, so a
 * repetition after a crash runs no item twice. A job that has ended runs none.
 */
export const runBatch = (
  sql: Sql,
  { jobId, limit }: { readonly jobId: string; readonly limit: number },
  settings: RunSettings,
): Promise<Job | null> =>
  sql.begin<Job | null>(async (transaction) => {
    const job = await lockJob(transaction, jobId);
    if (job === null || !isOpenJob(job.state)) return job;
    const items = await takeItems(transaction, job, limit);
    const results = await runItems(transaction, job, items, settings);
    await storeResults(transaction, jobId, results);
    const failed = results.filter(({ state }) => state !== 'SUCCESS').length;
    const done = results.length - failed;
    const left = job.itemCount - job.doneCount - job.failedCount - results.length;
    const running = job.state === 'Queued' ? moved(job.state, 'start') : job.state;
    const state = left === 0 ? moved(running, 'finish') : running;
    const after = await updateJob(transaction, jobId, { state, done, failed });
    if (isOpenJob(state)) return after;
    await lockJobLine(transaction, job.vendorId);
    await startFirstJob(transaction, job.vendorId);
    return after;
  });

/** The table has a row for each step of a batch. */
function moved(state: JobState, action: JobAction): JobState {
  const next = moveJob(state, action);
  if (!next.ok) throw new Error(`the job table has no row for ${action} from ${state}`);
  return next.value;
}
