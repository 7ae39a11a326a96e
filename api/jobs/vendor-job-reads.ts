import type { Queryable } from '../../db/core/client.ts';
import type { Job } from '../../db/jobs/job-row.ts';
import { jobResults } from '../../db/jobs/job-results.ts';
import { findJob, listJobs } from '../../db/jobs/jobs.ts';
import { capabilityOfKind, jobKinds, jobStates, kindsAllowed } from '../../domain/jobs/job.ts';
import { requireCapability } from '../auth/authenticate.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound } from '../http/api-error.ts';
import { pageOf, pagePayload } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { enumParameter, pageParameters, query } from '../validation/query.ts';
import { answerResults, resultsRoute } from './result-files.ts';
import { jobResponse, jobResultResponse, vendorJob } from './responses/job.ts';

const notFound = 'NOT_FOUND_BULK_JOB';

async function readOwnJob(sql: Queryable, caller: VendorCaller, id: string): Promise<Job> {
  const job = orNotFound(await findJob(sql, caller.vendorId, id), notFound);
  requireCapability(caller, capabilityOfKind[job.kind]);
  return job;
}

/** The vendor's bulk jobs, of the kinds that the token's capabilities allow. */
export const vendorJobReadRoutes: AddRoutes = (app, { sql, lists }) => {
  const route = vendorRoutes(app, { capability: ['Offers', 'Stock', 'Cost'], tag: 'Jobs' });
  route(
    'GET /api/v1/scent/jobs',
    {
      operationId: 'listJobs',
      summary: 'List jobs',
      description:
        'Lists your jobs, newest first, of the kinds that the capabilities of the token allow. A ' +
        'job is kept for 30 days after its end, by default.',
      query: query({
        ...pageParameters,
        kind: described(enumParameter(jobKinds), 'Only jobs of this kind.', 'pushCosts'),
        state: described(enumParameter(jobStates), 'Only jobs in this state.', 'Running'),
      }),
      payload: pageOf(jobResponse),
    },
    async ({ caller, query: { kind, state, ...page } }) => {
      const { vendorId, capabilities } = caller;
      const found = await listJobs(
        lists,
        { vendorId, kind, state },
        kindsAllowed(capabilities),
        page,
      );
      return pagePayload(found, page, vendorJob);
    },
  );
  route(
    'GET /api/v1/scent/jobs/:id',
    {
      operationId: 'getJob',
      summary: 'Read a job',
      description: 'Reads one job: its state, how many items have run, and when it will end.',
      payload: jobResponse,
      notFound,
    },
    async ({ caller, id }) => vendorJob(await readOwnJob(sql, caller, id)),
  );
  route(
    'GET /api/v1/scent/jobs/:id/results',
    {
      operationId: 'listJobResults',
      summary: 'List the results of a job',
      ...resultsRoute,
      payload: pageOf(jobResultResponse),
      notFound,
    },
    async ({ caller, id, ...call }) => {
      await readOwnJob(sql, caller, id);
      return answerResults(lists, jobResults, id, call);
    },
  );
};
