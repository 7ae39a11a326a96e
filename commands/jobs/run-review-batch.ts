import { actDetails, latestActsOn } from '../../db/accounts/audit.ts';
import type { Queryable, Sql } from '../../db/core/client.ts';
import { planByKeys } from '../../db/core/transaction.ts';
import { reviewJobLine } from '../../db/jobs/job-lines.ts';
import { storeResults } from '../../db/jobs/job-results.ts';
import type { ReviewJob } from '../../db/jobs/job-row.ts';
import { advanceJob, updateJob } from '../../db/jobs/jobs.ts';
import {
  findReviewJob,
  isActiveOperator,
  noVendorId,
  reviewResults,
  takeReviewItems,
  type QueuedReview,
  type ReviewResult,
} from '../../db/jobs/review-jobs.ts';
import { errorCatalogue, fail, isOvertaken, type Failure } from '../../domain/errors.ts';
import { isOpenJob } from '../../domain/jobs/job.ts';
import { commandOf } from '../../domain/jobs/review-job.ts';
import { reviewVersionOf } from '../../domain/offers/offer.ts';
import { decideOffers } from '../offers/decide-offers.ts';
import {
  isolateFailures,
  unexpected,
  type BatchTransaction,
  type JobSettings,
} from './isolate-failures.ts';

/** A job after a batch, and the number of items that the batch ran. */
type Batch = { readonly job: ReviewJob; readonly itemCount: number };

/**
 * Runs the next items of a review job by one transaction, at most `limit`, all of one vendor; null
 * for an unknown job. The items leave the queue together with their effects and results, so a
 * repetition after a crash decides nothing twice. A job that has ended runs none, and a job whose
 * operator was deactivated is cancelled.
 */
export const runReviewBatch = (
  sql: Sql,
  { jobId, limit }: { readonly jobId: string; readonly limit: number },
  settings: JobSettings,
): Promise<Batch | null> =>
  sql.begin<Batch | null>(async (transaction) => {
    await planByKeys(transaction);
    const job = await findReviewJob(transaction, jobId, { isLocked: true });
    if (job === null) return null;
    if (!isOpenJob(job.state)) return { job, itemCount: 0 };
    if (!(await isActiveOperator(transaction, job.operatorId)))
      return { job: await updateJob(transaction, reviewJobLine, job, 'Cancelled'), itemCount: 0 };
    const { vendorId, items } = await takeReviewItems(transaction, jobId, limit);
    const results = await runItems(transaction, job, vendorId, items, settings);
    await storeResults(transaction, reviewResults, jobId, results);
    const after = await advanceJob(transaction, reviewJobLine, job, results);
    return { job: after, itemCount: results.length };
  });

/** Decides on the items together, or one by one if one of them makes that fail. */
const runItems = (
  transaction: BatchTransaction,
  job: ReviewJob,
  vendorId: string,
  items: readonly QueuedReview[],
  settings: JobSettings,
): Promise<readonly ReviewResult[]> =>
  isolateFailures(
    items,
    async (some) =>
      (await transaction.savepoint((part) =>
        decideItems(part, job, vendorId, some),
      )) as readonly ReviewResult[],
    (item, error) =>
      failed(item, unexpected(settings, error, { jobId: job.id, index: item.index })),
  );

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
  const results = items.map((queued) => {
    const { index, item } = queued;
    if (item.type === 'malformed') return failed(queued, item.failure);
    const result = decided.get(item.offerId) ?? fail('NOT_FOUND_VENDOR_OFFER');
    if (!result.ok) return failed(queued, result.failure);
    const { id: offerId, status: offerStatus } = result.value;
    const reviewVersion = reviewVersionOf(result.value);
    const success = { httpStatus: 200, state: 'SUCCESS', details: {} };
    return { index, ...success, offerId, offerStatus, reviewVersion };
  });
  return withLatestActs(sql, results);
}

/** The refusals that another decision may have caused have the latest act on their offers. */
async function withLatestActs(
  sql: Queryable,
  results: readonly ReviewResult[],
): Promise<readonly ReviewResult[]> {
  const ids = results.flatMap(({ state, offerId }) =>
    isOvertaken(state) && offerId !== null ? offerId : [],
  );
  if (ids.length === 0) return results;
  const acts = await latestActsOn(sql, ids);
  return results.map((result) => {
    const act = isOvertaken(result.state) ? acts.get(result.offerId ?? '') : undefined;
    if (act === undefined) return result;
    return { ...result, details: { ...(result.details as object), ...actDetails(act) } };
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
