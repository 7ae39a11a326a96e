import type { Queryable } from '../../db/core/client.ts';
import {
  countOpenJobs,
  lockJobLine,
  startFirstJob,
  type JobLine,
} from '../../db/jobs/job-lines.ts';
import { apiError } from '../http/api-error.ts';
import { largeCallRests } from '../http/large-call-rests.ts';

/** The number of items that are parsed without a rest, in about a millisecond. */
const parsedAtOnce = 50;

/** Parses the items of a job in their order. Other calls run in the rests. */
export async function parseInTurns<TItem>(
  sent: readonly unknown[],
  parse: (item: unknown, index: number) => TItem,
): Promise<readonly TItem[]> {
  const items: TItem[] = [];
  const rest = largeCallRests();
  for (const [index, item] of sent.entries()) {
    items.push(parse(item, index));
    if (items.length % parsedAtOnce === 0) await rest();
  }
  return items;
}

/**
 * Returns the number of the owner's open jobs. Throws TOO_MANY_REQUESTS if there are `openJobsMax`
 * beside `own` new ones (D88).
 */
async function checkOpenJobs(
  sql: Queryable,
  line: JobLine,
  ownerId: string,
  { openJobsMax, own }: { readonly openJobsMax: number; readonly own: 0 | 1 },
): Promise<number> {
  const open = await countOpenJobs(sql, line, ownerId);
  if (open - own < openJobsMax) return open;
  const message = `You have ${openJobsMax} open jobs. Start the next one when one has ended.`;
  const details = { reason: 'OPEN_JOBS', message };
  throw apiError('TOO_MANY_REQUESTS', details, { 'retry-after': '30' });
}

/** Refuses a job before the gateway does the work of storing it. */
export const refuseTooMany = async (
  sql: Queryable,
  line: JobLine,
  ownerId: string,
  openJobsMax: number,
): Promise<void> => {
  await checkOpenJobs(sql, line, ownerId, { openJobsMax, own: 0 });
};

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
  const open = await checkOpenJobs(transaction, line, ownerId, { openJobsMax, own: 1 });
  if (open === 1) await startFirstJob(transaction, line, ownerId);
}
