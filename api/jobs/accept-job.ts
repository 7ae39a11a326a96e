import type { Queryable } from '../../db/core/client.ts';
import {
  countOpenJobs,
  lockJobLine,
  startFirstJob,
  type JobLine,
} from '../../db/jobs/job-lines.ts';
import { apiError } from '../http/api-error.ts';

/** Throws TOO_MANY_REQUESTS for a job beside `openJobsMax` others. */
function requireFewer(others: number, openJobsMax: number): void {
  if (others < openJobsMax) return;
  const message = `You have ${openJobsMax} open jobs. Start the next one when one has ended.`;
  const details = { reason: 'OPEN_JOBS', maximum: openJobsMax, message };
  throw apiError('TOO_MANY_REQUESTS', details, { 'retry-after': '30' });
}

/** Refuses a job before the gateway does the work of storing it. */
export const refuseTooMany = async (
  sql: Queryable,
  line: JobLine,
  ownerId: string,
  openJobsMax: number,
): Promise<void> => requireFewer(await countOpenJobs(sql, line, ownerId), openJobsMax);

/**
 * Adds a stored job to its owner's line, and starts it if it is the first one. The last statement
 * of its transaction.
 */
export async function lineUp(
  transaction: Queryable,
  line: JobLine,
  ownerId: string,
  openJobsMax: number,
): Promise<void> {
  await lockJobLine(transaction, ownerId);
  const others = (await countOpenJobs(transaction, line, ownerId)) - 1;
  requireFewer(others, openJobsMax);
  if (others === 0) await startFirstJob(transaction, line, ownerId);
}
