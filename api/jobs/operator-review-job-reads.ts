import { findReviewJob, listReviewJobs, reviewResults } from '../../db/jobs/review-jobs.ts';
import { staffRoles } from '../../domain/accounts/operator-roles.ts';
import { jobStates } from '../../domain/jobs/job.ts';
import { reviewJobActions } from '../../domain/jobs/review-job.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound } from '../http/api-error.ts';
import { pageOf, pagePayload } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { enumParameter, pageParameters, query, textParameter } from '../validation/query.ts';
import { answerResults, resultsRoute } from './result-files.ts';
import { reviewJob, reviewJobResponse, reviewResultResponse } from './responses/review-job.ts';

const notFound = 'NOT_FOUND_BULK_JOB';

/** Every operator's review jobs. */
export const operatorReviewJobReadRoutes: AddRoutes = (app, { sql, lists, temporalUi }) => {
  const route = operatorRoutes(app, { role: staffRoles, tag: 'Operator: jobs' });
  route(
    'GET /operator/v1/review-jobs',
    {
      operationId: 'listReviewJobs',
      summary: 'List review jobs',
      description:
        'Lists the review jobs of every operator, newest first. A job is kept for 30 days after ' +
        'its end, by default.',
      query: query({
        ...pageParameters,
        operatorId: described(
          textParameter(255),
          'Only jobs of the operator with this log-in name.',
          'demo-operator',
        ),
        action: described(enumParameter(reviewJobActions), 'Only jobs of this action.', 'apply'),
        state: described(enumParameter(jobStates), 'Only jobs in this state.', 'Running'),
      }),
      payload: pageOf(reviewJobResponse),
    },
    async ({ query: { operatorId, action, state, ...page } }) => {
      const found = await listReviewJobs(lists, { operatorId, action, state }, page);
      return pagePayload(found, page, (job) => reviewJob(job, temporalUi));
    },
  );
  route(
    'GET /operator/v1/review-jobs/:id',
    {
      operationId: 'getReviewJob',
      summary: 'Read a review job',
      description: 'Reads one job: its state, how many items have run, and when it will end.',
      payload: reviewJobResponse,
      notFound,
    },
    async ({ id }) => reviewJob(orNotFound(await findReviewJob(sql, id), notFound), temporalUi),
  );
  route(
    'GET /operator/v1/review-jobs/:id/results',
    {
      operationId: 'listReviewJobResults',
      summary: 'List the results of a review job',
      ...resultsRoute,
      payload: pageOf(reviewResultResponse),
      notFound,
    },
    async ({ id, ...call }) => {
      orNotFound(await findReviewJob(sql, id), notFound);
      return answerResults(lists, reviewResults, id, call);
    },
  );
};
