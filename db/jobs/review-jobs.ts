import type { JobState } from '../../domain/jobs/job.ts';
import type { ReviewJobAction, ReviewJobItem } from '../../domain/jobs/review-job.ts';
import type { OfferStatus } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';
import { firstOf, hasRows } from '../core/rows.ts';
import { readNewest } from '../lists/id-page.ts';
import { equalTo, type Page, type PageRequest } from '../lists/page.ts';
import { reviewJobColumns, type ReviewJob } from './job-row.ts';

/** The vendor of items that name no offer. */
export const noVendorId = '00000000-0000-0000-0000-000000000000';

/** Stores a new job with its items, which are counted from 0. */
export async function insertReviewJob(
  sql: Queryable,
  job: Pick<ReviewJob, 'id' | 'operatorId' | 'action' | 'reason' | 'requestId'>,
  items: readonly ReviewJobItem[],
): Promise<ReviewJob> {
  const [stored] = await sql<[ReviewJob]>`
    insert into review_jobs ${sql({ ...job, itemCount: items.length })}
    returning ${reviewJobColumns.list(sql)}`;
  await sql`
    insert into review_job_items (job_id, index, vendor_id, item)
    select ${job.id}, position - 1, coalesce(offers.vendor_id, ${noVendorId}), item
    from jsonb_array_elements(${sql.json(items as never)}) with ordinality as sent(item, position)
    left join offers on offers.id = (item ->> 'offerId')::uuid`;
  return stored;
}

/** A job with the name that its operator logs in with. */
export type NamedReviewJob = ReviewJob & { readonly operatorName: string };

const operatorName = (sql: Queryable) => sql`
  (select operator_id from operators where id = review_jobs.operator_id) as operator_name`;

/** `isLocked` until the transaction ends: its batches wait. */
export const findReviewJob = (sql: Queryable, id: string, { isLocked = false } = {}) =>
  firstOf(sql<NamedReviewJob[]>`
    select ${reviewJobColumns.list(sql)}, ${operatorName(sql)} from review_jobs where id = ${id}
    ${isLocked ? sql`for no key update` : sql``}`);

export type ReviewJobFilter = {
  /** The operator's log-in name. */
  readonly operatorId: string | null;
  readonly action: ReviewJobAction | null;
  readonly state: JobState | null;
};

/** Every operator's jobs, newest first. */
export const listReviewJobs = (
  sql: Queryable,
  { operatorId, action, state }: ReviewJobFilter,
  request: PageRequest,
): Promise<Page<NamedReviewJob>> =>
  readNewest<NamedReviewJob>(sql, request, reviewJobColumns, (parts) => {
    const isBy =
      operatorId === null
        ? parts``
        : parts`and operator_id = (select id from operators where operator_id = ${operatorId})`;
    return {
      conditions: parts`${isBy} ${equalTo(parts, { action, state })}`,
      more: parts`, ${operatorName(parts)}`,
    };
  });

/** Whether the operator of a job may still decide. */
export const isActiveOperator = (sql: Queryable, operatorId: string): Promise<boolean> =>
  hasRows(sql`select from operators where id = ${operatorId} and is_active`);

/** An item to run, with its position in the job. */
export type QueuedReview = { readonly index: number; readonly item: ReviewJobItem };

/**
 * Takes the next items of a locked job out of its queue: of the first vendor that has any, in their
 * order.
 */
export async function takeReviewItems(
  sql: Queryable,
  jobId: string,
  limit: number,
): Promise<{ readonly vendorId: string; readonly items: readonly QueuedReview[] }> {
  const rows = await sql<(QueuedReview & { readonly vendorId: string })[]>`
    delete from review_job_items where job_id = ${jobId} and index = any(array(
      select index from review_job_items
      where job_id = ${jobId} and vendor_id = (
        select vendor_id from review_job_items where job_id = ${jobId}
        order by vendor_id, index limit 1
      )
      order by index limit ${limit}
    )) returning index, vendor_id, item`;
  const items = rows.toSorted((one, other) => one.index - other.index);
  return { vendorId: items[0]?.vendorId ?? noVendorId, items };
}

const reviewResultTypes = {
  index: 'integer',
  httpStatus: 'integer',
  state: 'text',
  offerId: 'uuid?',
  offerStatus: 'text?',
  reviewVersion: 'integer?',
  details: 'jsonb',
} as const;

/** The result of an item: the decided offer, or the refusal of its single call. */
export type ReviewResult = RowOf<typeof reviewResultTypes, { offerStatus: OfferStatus | null }>;
export const reviewResults = columnsOf<ReviewResult>('review_job_results', reviewResultTypes);

/** What an offer is, for a person who reads its result. */
export type OfferTitle = {
  readonly productName: string | null;
  readonly vendorName: string | null;
};

/** The titles of some offers, by their ids. */
export async function readOfferTitles(
  sql: Queryable,
  offerIds: readonly string[],
): Promise<ReadonlyMap<string, OfferTitle>> {
  const rows = await sql<(OfferTitle & { readonly id: string })[]>`
    select offers.id, vendors.name as vendor_name,
      coalesce(raw_product_name, concat_ws(' · ', brand_name, product_name)) as product_name
    from offers join vendors on vendors.id = offers.vendor_id
    left join variants on variants.id = offers.variant_id
    where offers.id = any(${[...offerIds]}::uuid[])`;
  return new Map(rows.map(({ id, ...title }) => [id, title]));
}
