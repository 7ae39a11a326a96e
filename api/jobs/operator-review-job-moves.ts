import { v7 as uuidv7 } from 'uuid';
import { reviewJobLine } from '../../db/jobs/job-lines.ts';
import type { ReviewJob } from '../../db/jobs/job-row.ts';
import { findReviewJob, insertReviewJob } from '../../db/jobs/review-jobs.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import { lineUp, refuseTooMany } from './accept-job.ts';
import { cancelJob } from './cancel-job.ts';
import { jobBytesMax } from './job-body.ts';
import { parseReviewItems, reviewJobBody } from './review-job-body.ts';
import { reviewJob, reviewJobResponse } from './responses/review-job.ts';

const notFound = 'NOT_FOUND_BULK_JOB';

/** Starts and cancels review jobs (D102). */
export const operatorReviewJobMoveRoutes: AddRoutes = (app, { openJobsMax, temporalUi }) => {
  const route = operatorRoutes(app, { role: 'Reviewer', tag: 'Operator: jobs' });
  route(
    'POST /operator/v1/review-jobs',
    {
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
    },
    async ({ caller, body: { action, reason, items: sent }, request, sql }) => {
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
  );
  route(
    'POST /operator/v1/review-jobs/:id/cancel',
    {
      operationId: 'cancelReviewJob',
      summary: 'Cancel a review job',
      description:
        'No further item runs. Decisions that were made stay in effect. Every reviewer may ' +
        'cancel a job. A cancelled job stays cancelled; a finished one is refused. It takes no ' +
        'body.',
      payload: reviewJobResponse,
      notFound,
      refusals: ['BUSINESS_BULK_JOB_INVALID_TRANSITION'],
    },
    async ({ id, request, sql }) => {
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
  );
};
