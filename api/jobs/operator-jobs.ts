import { bulkJobLine } from '../../db/jobs/job-lines.ts';
import { findJob, listJobs } from '../../db/jobs/jobs.ts';
import { staffRoles } from '../../domain/accounts/operator-roles.ts';
import { jobKinds, jobStates } from '../../domain/jobs/job.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { audit } from '../operator/audit.ts';
import { enumParameter, query, vendorIdParameter } from '../validation/query.ts';
import { cancelJob } from './cancel-job.ts';
import { operatorJob, operatorJobResponse } from './responses/job.ts';

const notFound = 'NOT_FOUND_BULK_JOB';

/** Lists and cancels every vendor's bulk jobs. */
export const operatorJobRoutes: AddRoutes = (app, { sql, lists, temporalUi }) => {
  const tag = 'Operator: jobs';
  operatorRoutes(app, { role: staffRoles, tag })({
    at: 'GET /operator/v1/jobs',
    operationId: 'listJobsOfVendors',
    summary: 'List bulk jobs',
    description:
      'Lists the bulk jobs of every vendor, newest first, with links to their workflows. A ' +
      '`Queued` job has no workflow yet if another one of its vendor comes first.',
    query: query({
      vendorId: vendorIdParameter,
      kind: enumParameter(jobKinds, 'Only jobs of this kind.', 'pushCosts'),
      state: enumParameter(jobStates, 'Only jobs in this state.', 'Running'),
    }),
    payload: pageOf(operatorJobResponse),
    handler: async ({ query: filter, page }) =>
      mapItems(await listJobs(lists, filter, jobKinds, page), (job) =>
        operatorJob(job, temporalUi),
      ),
  });
  operatorRoutes(app, { role: 'Operations', tag })({
    at: 'POST /operator/v1/jobs/:id/cancel',
    operationId: 'cancelJobOfVendor',
    summary: 'Cancel a bulk job',
    description:
      "Cancels any vendor's job, as the vendor itself can: no further item runs, and items that " +
      'have run stay as they are. It takes no body.',
    payload: operatorJobResponse,
    notFound,
    refusals: ['BUSINESS_BULK_JOB_INVALID_TRANSITION'],
    handler: async ({ id, request }) => {
      const cancelled = await sql.begin(async (transaction) => {
        const job = orNotFound(
          await findJob(transaction, id, { vendorId: null, isLocked: true }),
          notFound,
        );
        const after = await cancelJob(transaction, bulkJobLine, job);
        if (after !== job)
          await audit(transaction, request, 'job.cancel', id, {
            before: { vendorId: job.vendorId, state: job.state },
            after: { state: after.state, done: after.doneCount, failed: after.failedCount },
          });
        return after;
      });
      return operatorJob(cancelled, temporalUi);
    },
  });
};
