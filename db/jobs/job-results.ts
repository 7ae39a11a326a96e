import type { JobItem } from '../../domain/jobs/job-item.ts';
import type { RecordedChange } from '../../domain/jobs/recorded-change.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, toDatabaseNames, type Columns, type RowOf } from '../core/columns.ts';
import { countOf, rowCountOf } from '../core/rows.ts';
import { limitOf, type Page, type PageRequest } from '../lists/page.ts';
import type { Job } from './job-row.ts';

/** An item to run, with its position in the job. */
export type QueuedItem = { readonly index: number; readonly item: JobItem };

const resultTypes = {
  index: 'integer',
  httpStatus: 'integer',
  state: 'text',
  offerId: 'uuid?',
  vendorExternalId: 'text?',
  version: 'integer?',
  details: 'jsonb',
} as const;

/** The result of an item: the response of its single call. */
export type JobResult = RowOf<typeof resultTypes>;
export const jobResults = columnsOf<JobResult>('bulk_job_results', resultTypes);

/** A result to store. */
export type NewJobResult = JobResult & {
  /** What a restoration needs; null where the item changed nothing. */
  readonly change: RecordedChange | null;
  /** The ids are those that the item has sent, of any offer or none. */
  readonly isMalformed: boolean;
};
export const newJobResults = columnsOf<NewJobResult>('bulk_job_results', {
  ...resultTypes,
  change: 'jsonb?',
  isMalformed: 'boolean',
});

/**
 * Takes the next items of a locked job out of its queue, in their order. A restoration takes the
 * last ones first, so that it undoes the items one by one.
 */
export async function takeItems(
  sql: Queryable,
  { id, revertsId }: Pick<Job, 'id' | 'revertsId'>,
  limit: number,
): Promise<readonly QueuedItem[]> {
  const order = revertsId === null ? sql`index` : sql`index desc`;
  const items = await sql<QueuedItem[]>`
    delete from bulk_job_items where job_id = ${id} and index = any(array(
      select index from bulk_job_items where job_id = ${id} order by ${order} limit ${limit}
    )) returning index, item`;
  const sign = revertsId === null ? 1 : -1;
  return items.toSorted((one, other) => sign * (one.index - other.index));
}

/** Stores the results of items, in the transaction of their effects. */
export async function storeResults<TResult extends object>(
  sql: Queryable,
  { table, names }: Columns<TResult>,
  jobId: string,
  results: readonly TResult[],
): Promise<void> {
  const rows = results.map(toDatabaseNames);
  const columns = sql.unsafe(names.join(', '));
  await sql`
    insert into ${sql(table)} (job_id, ${columns})
    select ${jobId}, ${columns}
    from jsonb_populate_recordset(null::${sql(table)}, ${sql.json(rows)})`;
}

/** The first well-formed item of a job for each of these offers, by the offers' ids. */
export async function findNamedOffers(
  sql: Queryable,
  jobId: string,
  offerIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql<{ offerId: string; index: number }[]>`
    select offer_id, min(index) as index from bulk_job_results
    where job_id = ${jobId} and offer_id = any(${[...offerIds]}::uuid[]) and not is_malformed
    group by offer_id`;
  return new Map(rows.map(({ offerId, index }) => [offerId, index]));
}

/** Null: all; otherwise only the failed ones, or only the others. */
export type FailedFilter = boolean | null;

const isListed = (sql: Queryable, isFailed: FailedFilter) => {
  if (isFailed === null) return sql``;
  return isFailed ? sql`and state <> 'SUCCESS'` : sql`and state = 'SUCCESS'`;
};

/** A page of results, in the order of the items. */
export async function listResults<TResult extends object>(
  sql: Queryable,
  { table, list }: Columns<TResult>,
  { jobId, isFailed }: { readonly jobId: string; readonly isFailed: FailedFilter },
  request: PageRequest,
): Promise<Page<TResult>> {
  const rows = sql`${sql(table)} where job_id = ${jobId} ${isListed(sql, isFailed)}`;
  const [items, totalCount] = await Promise.all([
    sql<TResult[]>`select ${list(sql)} from ${rows} order by index ${limitOf(sql, request)}`,
    countOf(sql, rows),
  ]);
  return { items, totalCount };
}

/**
 * All results of a job, some at a time: reading them takes the process a few milliseconds.
 */
export async function* readResults<TResult extends { readonly index: number }>(
  sql: Queryable,
  { table, list }: Columns<TResult>,
  { jobId, isFailed }: { readonly jobId: string; readonly isFailed: FailedFilter },
): AsyncGenerator<readonly TResult[]> {
  const limit = 200;
  for (let after = -1; ;) {
    const rows: readonly TResult[] = await sql<TResult[]>`
      select ${list(sql)} from ${sql(table)}
      where job_id = ${jobId} and index > ${after} ${isListed(sql, isFailed)}
      order by index limit ${limit}`;
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = last.index;
  }
}

/** Jobs of one statement: each has up to 10,000 results. */
export const prunedJobsMax = 5;

/** Deletes jobs that ended before an instant, with their items and results; returns how many. */
export const pruneJobs = (sql: Queryable, table: 'bulk_jobs' | 'review_jobs', before: Date) =>
  rowCountOf(sql`
    delete from ${sql(table)} where id = any(array(
      select id from ${sql(table)} where ended_at < ${before}
      order by ended_at limit ${prunedJobsMax} for update skip locked
    ))`);
