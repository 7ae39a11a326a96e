import {
  isOpenJob,
  stateAfterBatch,
  type CancelReason,
  type JobKind,
  type JobState,
} from '../../domain/jobs/job.ts';
import type { JobItem } from '../../domain/jobs/job-item.ts';
import type { Queryable } from '../core/client.ts';
import { firstOf, hasRows } from '../core/rows.ts';
import { readNewest } from '../lists/id-page.ts';
import { equalTo, type Page, type PageRequest } from '../lists/page.ts';
import { bulkJobLine, lockJobLine, startFirstJob, type JobLineOf } from './job-lines.ts';
import { jobColumns, type Job, type Progress } from './job-row.ts';

/** The items of one statement, which takes the API and Postgres some milliseconds. */
const insertedAtOnce = 50;

/** The items of a new job: a list, or what makes its slices when they are stored. */
type NewItems = {
  readonly length: number;
  readonly slice: (start: number, end: number) => readonly JobItem[];
};

type NewJob = Pick<Job, 'id' | 'vendorId' | 'credentialId' | 'kind' | 'revertsId' | 'validateOnly'>;

/** Stores a new job with its items, which are counted from 0. Pauses after each statement. */
export async function insertJob(
  sql: Queryable,
  job: NewJob,
  items: NewItems,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<Job> {
  const [stored] = await sql<[Job]>`
    insert into bulk_jobs ${sql({ ...job, itemCount: items.length })}
    returning ${jobColumns.list(sql)}`;
  for (let start = 0; start < items.length; start += insertedAtOnce) {
    const rows = items.slice(start, start + insertedAtOnce);
    await sql`
      insert into bulk_job_items (job_id, index, item)
      select ${job.id}, ${start} + position - 1, item
      from jsonb_array_elements(${sql.json(rows as never)})
        with ordinality as sent(item, position)`;
    await pause();
  }
  return stored;
}

/**
 * Stores a job that restores what another one changed: an item for each result of that job. Null if
 * a restoration of it exists already.
 */
export async function insertRevert(sql: Queryable, job: NewJob): Promise<Job | null> {
  const { id, vendorId, credentialId, kind, revertsId, validateOnly } = job;
  const [row] = await sql<Job[]>`
    insert into bulk_jobs (
      id, vendor_id, credential_id, kind, reverts_id, validate_only, item_count
    )
    select ${id}, ${vendorId}, ${credentialId}, ${kind}, ${revertsId}, ${validateOnly}, count(*)
    from bulk_job_results where job_id = ${revertsId}
    on conflict (reverts_id) where state <> 'Cancelled' and not validate_only do nothing
    returning ${jobColumns.list(sql)}`;
  if (row === undefined) return null;
  await sql`
    insert into bulk_job_items (job_id, index, item)
    select ${id}, index, case when change is null then '{"type": "nothing"}'::jsonb
      else jsonb_build_object(
        'type', 'revert', 'change', change,
        'name', jsonb_build_object('offerId', offer_id, 'vendorExternalId', null)
      ) end
    from bulk_job_results where job_id = ${revertsId}`;
  return row;
}

/** The restoration of a job that is not cancelled. */
export const findRevert = (sql: Queryable, revertsId: string): Promise<Job | null> =>
  firstOf(sql<Job[]>`
    select ${jobColumns.list(sql)} from bulk_jobs
    where reverts_id = ${revertsId} and state <> 'Cancelled' and not validate_only`);

/**
 * A job of this vendor, or of any vendor if `vendorId` is null. `isLocked` locks it until the
 * transaction ends, so that its batches wait.
 */
export const findJob = (
  sql: Queryable,
  id: string,
  { vendorId, isLocked = false }: { vendorId: string | null; isLocked?: boolean },
): Promise<Job | null> =>
  firstOf(sql<Job[]>`
    select ${jobColumns.list(sql)} from bulk_jobs
    where id = ${id} ${equalTo(sql, { vendor_id: vendorId })}
    ${isLocked ? sql`for no key update` : sql``}`);

/**
 * Stores the state of a locked job, and adds the items that have run to its counts. If the job has
 * ended, starts its owner's next one. The clock of Postgres gives its times.
 */
export async function updateJob<TJob extends { readonly id: string }>(
  sql: Queryable,
  line: JobLineOf<TJob>,
  { id }: TJob,
  state: JobState,
  { done, failed } = { done: 0, failed: 0 },
): Promise<TJob> {
  const isOpen = isOpenJob(state);
  const [job] = await sql<[TJob]>`
    update ${sql(line.table)} set state = ${state}, done_count = done_count + ${done},
      failed_count = failed_count + ${failed},
      started_at = case when ${state}::text = 'Cancelled' then started_at
        else coalesce(started_at, now()) end,
      ended_at = case when ${isOpen} then null else clock_timestamp() end
    where id = ${id}
    returning ${line.columns.list(sql)}`;
  if (!isOpen) {
    const ownerId = line.ownerOf(job);
    await lockJobLine(sql, ownerId);
    await startFirstJob(sql, line, ownerId);
  }
  return job;
}

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

/**
 * Why a job may run no further item: its vendor or the credential that started it is no longer
 * active. Null if both are; expiry does not count.
 *
 * The lock on the vendor's row prevents the race with a switch-off, because each command that
 * switches off or deletes a credential, or switches off a vendor, locks that row for itself. A
 * switch-off waits for the batch that runs, and a batch that begins meanwhile waits for the
 * switch-off. The credential is read by a second statement, whose snapshot is later than the wait.
 */
export async function lockStarter(
  sql: Queryable,
  { vendorId, credentialId }: Pick<Job, 'vendorId' | 'credentialId'>,
): Promise<CancelReason | null> {
  const [vendor] = await sql<[{ isActive: boolean }]>`
    select is_active from vendors where id = ${vendorId} for share`;
  const isStartedByActive =
    credentialId === null ||
    (await hasRows(sql`select from credentials where id = ${credentialId} and is_active`));
  if (!isStartedByActive) return 'CREDENTIAL_REVOKED';
  return vendor.isActive ? null : 'VENDOR_INACTIVE';
}

/** Cancels a locked open job because its starter is no longer active. */
export async function cancelInactive(sql: Queryable, job: Job, reason: CancelReason): Promise<Job> {
  await sql`update bulk_jobs set cancel_reason = ${reason} where id = ${job.id}`;
  return updateJob(sql, bulkJobLine, job, 'Cancelled');
}

export type JobFilter = {
  readonly vendorId: string | null;
  readonly kind: JobKind | null;
  readonly state: JobState | null;
};

/** Jobs of these kinds, newest first. */
export const listJobs = (
  sql: Queryable,
  { vendorId, kind, state }: JobFilter,
  kinds: readonly JobKind[],
  request: PageRequest,
): Promise<Page<Job>> =>
  readNewest(sql, request, jobColumns, (parts) => ({
    conditions: parts`
      and kind = any(${[...kinds]}) ${equalTo(parts, { vendor_id: vendorId, kind, state })}`,
  }));
