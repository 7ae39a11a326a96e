import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../db/core/client.ts';
import { reviewJobLine } from '../../db/jobs/job-lines.ts';
import type { ReviewJob } from '../../db/jobs/job-row.ts';
import { storedOperatorId } from '../../db/accounts/operators.ts';
import {
  findReviewJob,
  insertReviewJob,
  listReviewJobs,
  readOfferTitles,
  reviewResults,
  type ReviewResult,
} from '../../db/jobs/review-jobs.ts';
import { staffRoles } from '../../domain/accounts/operator-roles.ts';
import { jobStates } from '../../domain/jobs/job.ts';
import { reviewJobActions } from '../../domain/jobs/review-job.ts';
import { FileResponse, operatorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { audit } from '../operator/audit.ts';
import { enumParameter, query, textParameter } from '../validation/query.ts';
import { lineUp, refuseTooMany } from './accept-job.ts';
import { cancelJob } from './cancel-job.ts';
import { jobBytesMax } from './job-body.ts';
import { parseReviewItems, reviewJobBody } from './review-job-body.ts';
import { answerResults, resultsRoute } from './result-files.ts';
import { reviewJob, reviewJobResponse, reviewResultResponse } from './responses/review-job.ts';

const notFound = 'NOT_FOUND_BULK_JOB';

/** Review jobs: a reviewer starts and cancels them, every operator reads them. */
export const operatorReviewJobRoutes: AddRoutes = (app, dependencies) => {
  const { lists, openJobsMax, temporalUi } = dependencies;
  const moveRoute = operatorRoutes(app, { role: 'Reviewer', tag: 'Operator: jobs' });
  const readRoute = operatorRoutes(app, { role: staffRoles, tag: 'Operator: jobs' });
  moveRoute({
    at: 'POST /operator/v1/review-jobs',
    operationId: 'startReviewJob',
    summary: 'Start a review job',
    description:
      'Accepts up to 10,000 decisions of one kind, and applies them in the background, each by ' +
      'the rules of its single call: approve, reject, or apply or discard the staged price. ' +
      'Each has its event to the vendor and its entry in the audit log. Your review jobs run ' +
      'one after another.',
    config: { handlerTimeoutMs: 30_000 },
    bodyBytesMax: jobBytesMax,
    body: reviewJobBody,
    payload: reviewJobResponse,
    statuses: [202],
    refusals: ['TOO_MANY_REQUESTS'],
    handler: async ({ caller, body: { action, reason, items: sent }, request, sql }) => {
      const { id: operatorId, operatorId: operatorName } = caller;
      await refuseTooMany(sql, reviewJobLine, operatorId, openJobsMax);
      const items = await parseReviewItems(action, sent);
      const job = await sql.begin(async (transaction) => {
        const asked = { id: uuidv7(), operatorId, action, reason, requestId: request.id };
        const stored = await insertReviewJob(transaction, asked, items);
        const after = { action, reason, items: items.length };
        await audit(transaction, request, 'reviewJob.start', stored.id, { before: null, after });
        await lineUp(transaction, reviewJobLine, operatorId, openJobsMax);
        return stored;
      });
      return reviewJob({ ...job, operatorName }, temporalUi);
    },
  });
  moveRoute({
    at: 'POST /operator/v1/review-jobs/:id/cancel',
    operationId: 'cancelReviewJob',
    summary: 'Cancel a review job',
    description:
      'No further item runs. Decisions that were made stay in effect. Every reviewer may ' +
      'cancel a job. A cancelled job stays cancelled; a finished one is refused. It takes no ' +
      'body.',
    payload: reviewJobResponse,
    notFound,
    refusals: ['BUSINESS_BULK_JOB_INVALID_TRANSITION'],
    handler: async ({ id, request, sql }) => {
      const cancelled = await sql.begin(async (transaction) => {
        const job = orNotFound(await findReviewJob(transaction, id, { isLocked: true }), notFound);
        const after = await cancelJob<ReviewJob>(transaction, reviewJobLine, job);
        if (after === job) return job;
        await audit(transaction, request, 'reviewJob.cancel', id, {
          before: { state: job.state },
          after: { state: after.state, done: after.doneCount, failed: after.failedCount },
        });
        return { ...job, ...after };
      });
      return reviewJob(cancelled, temporalUi);
    },
  });
  readRoute({
    at: 'GET /operator/v1/review-jobs',
    operationId: 'listReviewJobs',
    summary: 'List review jobs',
    description:
      'Lists the review jobs of every operator, newest first. A job is kept for 30 days after ' +
      'its end, by default.',
    query: query({
      operatorId: textParameter(
        255,
        'Only jobs of the operator with this log-in name.',
        'demo-operator',
      ),
      action: enumParameter(reviewJobActions, 'Only jobs of this action.', 'apply'),
      state: enumParameter(jobStates, 'Only jobs in this state.', 'Running'),
    }),
    payload: pageOf(reviewJobResponse),
    handler: async ({ query: { operatorId, ...others }, page }) => {
      const asked = operatorId === null ? null : await storedOperatorId(lists, operatorId);
      const filter = { ...others, operatorId: asked ?? operatorId };
      const found = await listReviewJobs(lists, filter, page);
      return mapItems(found, (job) => reviewJob(job, temporalUi));
    },
  });
  readRoute({
    at: 'GET /operator/v1/review-jobs/:id',
    operationId: 'getReviewJob',
    summary: 'Read a review job',
    description: 'Reads one job: its state, how many items have run, and when it will end.',
    payload: reviewJobResponse,
    notFound,
    handler: async ({ id, sql }) =>
      reviewJob(orNotFound(await findReviewJob(sql, id), notFound), temporalUi),
  });
  readRoute({
    at: 'GET /operator/v1/review-jobs/:id/results',
    operationId: 'listReviewJobResults',
    summary: 'List the results of a review job',
    ...resultsRoute,
    payload: pageOf(reviewResultResponse),
    notFound,
    handler: async ({ id, sql, ...call }) => {
      orNotFound(await findReviewJob(sql, id), notFound);
      const response = await answerResults(lists, reviewResults, id, call);
      return response instanceof FileResponse ? response : withTitles(lists, response);
    },
  });
};

/** A page of results, each with what its offer is. */
async function withTitles<TPage extends { readonly items: readonly ReviewResult[] }>(
  sql: Sql,
  page: TPage,
) {
  const ids = page.items.flatMap(({ offerId }) => offerId ?? []);
  const titles = await readOfferTitles(sql, ids);
  const none = { productName: null, vendorName: null };
  const items = page.items.map((item) => ({
    ...item,
    ...(titles.get(item.offerId ?? '') ?? none),
  }));
  return { ...page, items };
}
