import type { Queryable, Sql } from '../../db/core/client.ts';
import { isPassingFailure } from '../../db/core/failure.ts';
import { lockJobLine, reviewJobLine, startFirstJob } from '../../db/jobs/job-lines.ts';
import { reviewJobColumns, type ReviewJob } from '../../db/jobs/job-row.ts';
import { updateJob } from '../../db/jobs/jobs.ts';
import {
  findReviewJob,
  isActiveOperator,
  noVendorId,
  storeReviewResults,
  takeReviewItems,
  type QueuedReview,
  type ReviewResult,
} from '../../db/jobs/review-jobs.ts';
import { errorCatalogue, fail, type Failure } from '../../domain/errors.ts';
import { isOpenJob, stateAfterBatch } from '../../domain/jobs/job.ts';
import { commandOf } from '../../domain/jobs/review-job.ts';
import { reviewVersionOf } from '../../domain/offers/offer.ts';
import { decideOffers } from '../offers/decide-offers.ts';

export type ReviewSettings = {
  /** Reports an error that is no expected failure; its item answers INTERNAL_ERROR. */
  readonly onUnexpected: (error: unknown, item: { jobId: string; index: number }) => void;
};

/** A job after a batch, which ran so many items. */
type Batch = { readonly job: ReviewJob; readonly run: number };

/**
 * Runs the next items of a review job by one transaction, at most `limit`, all of one vendor; null
 * for an unknown one. The items leave the queue together with their effects and results, so a
 * repetition after a crash decides nothing twice. A job that has ended runs none, and one whose
 * operator was deactivated is cancelled (D102).
 */
export const runReviewBatch = (
  sql: Sql,
  { jobId, limit }: { readonly jobId: string; readonly limit: number },
  settings: ReviewSettings,
): Promise<Batch | null> =>
  sql.begin<Batch | null>(async (transaction) => {
    const job = await findReviewJob(transaction, jobId, { isLocked: true });
    if (job === null) return null;
    if (!isOpenJob(job.state)) return { job, run: 0 };
    if (!(await isActiveOperator(transaction, job.operatorId)))
      return { job: await endReviewJob(transaction, job), run: 0 };
    const { vendorId, items } = await takeReviewItems(transaction, jobId, limit);
    const results = await runItems(transaction, job, vendorId, items, settings);
    await storeReviewResults(transaction, jobId, results);
    const failed = results.filter(({ state }) => state !== 'SUCCESS').length;
    const done = results.length - failed;
    const left = job.itemCount - job.doneCount - job.failedCount - results.length;
    const state = stateAfterBatch(job.state, left);
    const after = await updateJob(transaction, reviewJobColumns, jobId, { state, done, failed });
    if (!isOpenJob(state)) await startNext(transaction, job);
    return { job: after, run: results.length };
  });

/** Cancels a locked open job; the operator's next one starts. */
export async function endReviewJob(
  sql: Queryable,
  { id, operatorId }: Pick<ReviewJob, 'id' | 'operatorId'>,
): Promise<ReviewJob> {
  const none = { state: 'Cancelled', done: 0, failed: 0 } as const;
  const after = await updateJob(sql, reviewJobColumns, id, none);
  await startNext(sql, { operatorId });
  return after;
}

async function startNext(
  sql: Queryable,
  { operatorId }: Pick<ReviewJob, 'operatorId'>,
): Promise<void> {
  await lockJobLine(sql, operatorId);
  await startFirstJob(sql, reviewJobLine, operatorId);
}

/** The transaction of a batch, which can undo a part of itself. */
type BatchTransaction = Queryable & {
  readonly savepoint: <T>(run: (part: Queryable) => Promise<T>) => Promise<unknown>;
};

/**
 * Decides together; where one statement for all items fails by one of them, one by one. Rejects
 * when Postgres fails for a while; then nothing is stored.
 */
async function runItems(
  transaction: BatchTransaction,
  job: ReviewJob,
  vendorId: string,
  items: readonly QueuedReview[],
  settings: ReviewSettings,
): Promise<readonly ReviewResult[]> {
  try {
    return (await transaction.savepoint((part) =>
      decideItems(part, job, vendorId, items),
    )) as readonly ReviewResult[];
  } catch (error) {
    if (isPassingFailure(error)) throw error;
    const [only] = items;
    if (only !== undefined && items.length === 1) {
      settings.onUnexpected(error, { jobId: job.id, index: only.index });
      const requestId = `${job.id}/${only.index}`;
      return [failed(only, fail('INTERNAL_ERROR', { requestId }).failure)];
    }
    const results: ReviewResult[] = [];
    for (const item of items)
      results.push(...(await runItems(transaction, job, vendorId, [item], settings)));
    return results;
  }
}

async function decideItems(
  sql: Queryable,
  job: ReviewJob,
  vendorId: string,
  items: readonly QueuedReview[],
): Promise<readonly ReviewResult[]> {
  const by = { reviewerId: job.operatorId, requestId: job.requestId, reviewJobId: job.id };
  const decisions = items.flatMap(({ item }) =>
    item.type === 'malformed' ? [] : { offerId: item.offerId, command: commandOf(job, item) },
  );
  const decided =
    vendorId === noVendorId || decisions.length === 0
      ? new Map()
      : await decideOffers(sql, vendorId, decisions, by);
  return items.map((queued) => {
    const { index, item } = queued;
    if (item.type === 'malformed') return failed(queued, item.failure);
    const result = decided.get(item.offerId) ?? fail('NOT_FOUND_VENDOR_OFFER');
    if (!result.ok) return failed(queued, result.failure);
    const { id: offerId, status: offerStatus } = result.value;
    const reviewVersion = reviewVersionOf(result.value);
    const success = { httpStatus: 200, state: 'SUCCESS', details: {} };
    return { index, ...success, offerId, offerStatus, reviewVersion };
  });
}

const failed = ({ index, item }: QueuedReview, { code, details }: Failure): ReviewResult => ({
  index,
  httpStatus: errorCatalogue[code].status,
  state: code,
  offerId: item.offerId,
  offerStatus: null,
  reviewVersion: null,
  details,
});
