import type { Sql } from '../../db/core/client.ts';
import { storeResults, takeItems } from '../../db/jobs/job-results.ts';
import { bulkJobLine, lockJobLine, startFirstJob } from '../../db/jobs/job-lines.ts';
import { jobColumns, type Job } from '../../db/jobs/job-row.ts';
import { lockJob, updateJob } from '../../db/jobs/jobs.ts';
import { isOpenJob, stateAfterBatch } from '../../domain/jobs/job.ts';
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
    const state = stateAfterBatch(job.state, left);
    const after = await updateJob(transaction, jobColumns, jobId, { state, done, failed });
    if (isOpenJob(state)) return after;
    await lockJobLine(transaction, job.vendorId);
    await startFirstJob(transaction, bulkJobLine, job.vendorId);
    return after;
  });
