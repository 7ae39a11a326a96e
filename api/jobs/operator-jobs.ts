import { listJobs } from '../../db/jobs/jobs.ts';
import { jobKinds, jobStates } from '../../domain/jobs/job.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { pageOf, pagePayload } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { enumParameter, pageParameters, query, vendorIdParameter } from '../validation/query.ts';
import { operatorJob, operatorJobResponse } from './responses/job.ts';

/** Every vendor's bulk jobs. */
export const operatorJobRoute: AddRoutes = (app, { lists, temporalUi }) => {
  const route = operatorRoutes(app, { role: 'Operations', tag: 'Operator: jobs' });
  route(
    'GET /operator/v1/jobs',
    {
      operationId: 'listJobsOfVendors',
      summary: 'List bulk jobs',
      description:
        'Lists the bulk jobs of every vendor, newest first, with links to their workflows. A ' +
        '`Queued` job has no workflow yet if another one of its vendor comes first.',
      query: query({
        ...pageParameters,
        vendorId: vendorIdParameter,
        kind: described(enumParameter(jobKinds), 'Only jobs of this kind.', 'pushCosts'),
        state: described(enumParameter(jobStates), 'Only jobs in this state.', 'Running'),
      }),
      payload: pageOf(operatorJobResponse),
    },
    async ({ query: { vendorId, kind, state, ...page } }) => {
      const found = await listJobs(lists, { vendorId, kind, state }, jobKinds, page);
      return pagePayload(found, page, (job) => operatorJob(job, temporalUi));
    },
  );
};
