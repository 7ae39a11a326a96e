import type { Fragment } from 'postgres';
import { openJobStates } from '../../domain/jobs/job.ts';
import type { RunMessage } from '../../domain/messages.ts';
import type { Queryable } from '../core/client.ts';
import type { Columns } from '../core/columns.ts';
import { countOf } from '../core/rows.ts';
import { writeMessages } from '../outbox/write-messages.ts';
import { jobColumns, reviewJobColumns, type Job, type ReviewJob } from './job-row.ts';

/**
 * Jobs that run one after another for each owner: a vendor's bulk jobs, an operator's review jobs.
 */
export type JobLine = {
  readonly kind: Extract<RunMessage['kind'], 'bulkJob' | 'reviewJob'>;
  readonly table: 'bulk_jobs' | 'review_jobs';
  /** The column of the owner. */
  readonly owner: 'vendor_id' | 'operator_id';
};
/** A line with the rows of its jobs. */
export type JobLineOf<TJob> = JobLine & {
  readonly columns: Columns<TJob>;
  readonly ownerOf: (job: TJob) => string;
};
export const bulkJobLine: JobLineOf<Job> = {
  kind: 'bulkJob',
  table: 'bulk_jobs',
  owner: 'vendor_id',
  columns: jobColumns,
  ownerOf: ({ vendorId }) => vendorId,
};
export const reviewJobLine: JobLineOf<ReviewJob> = {
  kind: 'reviewJob',
  table: 'review_jobs',
  owner: 'operator_id',
  columns: reviewJobColumns,
  ownerOf: ({ operatorId }) => operatorId,
};

/**
 * Makes the ends and the starts of an owner's jobs wait for each other until the transaction ends.
 */
export async function lockJobLine(sql: Queryable, ownerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${ownerId}::text, 5))`;
}

/** The owner's open jobs, under {@link lockJobLine}. */
export const countOpenJobs = (sql: Queryable, line: JobLine, ownerId: string): Promise<number> =>
  countOf(sql, openJobs(sql, line, ownerId));

const openJobs = (sql: Queryable, { table, owner }: JobLine, ownerId: string): Fragment => sql`
  ${sql(table)} where ${sql(owner)} = ${ownerId} and state = any(${[...openJobStates]})`;

/**
 * Writes the message that starts the run of the owner's first open job. Call it under
 * {@link lockJobLine}, when a job has become the first one.
 */
export async function startFirstJob(sql: Queryable, line: JobLine, ownerId: string): Promise<void> {
  const { kind } = line;
  const from = sql`(
    select id from ${openJobs(sql, line, ownerId)} order by id limit 1
  ) as first`;
  await sql`select ${
    kind === 'bulkJob'
      ? writeMessages(sql, kind, { from, payload: { vendorId: ownerId } })
      : writeMessages(sql, kind, { from, payload: { operatorId: ownerId } })
  }`;
}
