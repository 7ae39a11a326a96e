import type { Sql } from '../../db/core/client.ts';
import { planByKeys } from '../../db/core/transaction.ts';
import { newJobResults, storeResults, takeItems } from '../../db/jobs/job-results.ts';
import { bulkJobLine } from '../../db/jobs/job-lines.ts';
import type { Job } from '../../db/jobs/job-row.ts';
import { advanceJob, cancelInactive, findJob, lockStarter } from '../../db/jobs/jobs.ts';
import { isOpenJob } from '../../domain/jobs/job.ts';
import { runItems, type ItemSettings } from './run-items.ts';

/**
 * The items of one transaction, which takes some ten milliseconds of a core. A validation has more,
 * because its items see nothing of earlier transactions.
 */
export const transactionItems = ({ validateOnly }: Pick<Job, 'validateOnly'>): number =>
  validateOnly ? 250 : 50;

/**
 * Runs the next items of a job by one transaction, at most `limit` and {@link transactionItems},
 * and returns the job afterwards; null for an unknown one. The items leave the queue together with
 * their effects and results, so a repetition after a crash runs no item twice. A job that has ended
 * runs none, and a job whose vendor or credential is no longer active is cancelled.
 */
export const runBatch = (
  sql: Sql,
  { jobId, limit }: { readonly jobId: string; readonly limit: number },
  settings: ItemSettings,
): Promise<Job | null> =>
  sql.begin<Job | null>(async (transaction) => {
    await planByKeys(transaction);
    const job = await findJob(transaction, jobId, { vendorId: null, isLocked: true });
    if (job === null || !isOpenJob(job.state)) return job;
    const reason = await lockStarter(transaction, job);
    if (reason !== null) return cancelInactive(transaction, job, reason);
    const items = await takeItems(transaction, job, Math.min(limit, transactionItems(job)));
    const results = await runItems(transaction, job, items, settings);
    await storeResults(transaction, newJobResults, jobId, results);
    return advanceJob(transaction, bulkJobLine, job, results);
  });
