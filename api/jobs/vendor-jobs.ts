import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../../db/core/client.ts';
import { bulkJobLine } from '../../db/jobs/job-lines.ts';
import type { Job } from '../../db/jobs/job-row.ts';
import { jobResults } from '../../db/jobs/job-results.ts';
import { findJob, findRevert, insertRevert, listJobs } from '../../db/jobs/jobs.ts';
import {
  capabilityOfKind,
  checkRevert,
  jobKinds,
  jobStates,
  kindsAllowed,
} from '../../domain/jobs/job.ts';
import { requireCapability } from '../auth/authenticate.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound, unwrap } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { readVendorClock } from '../sandbox/vendor-clock.ts';
import { enumParameter, query } from '../validation/query.ts';
import { lineUp } from './accept-job.ts';
import { cancelJob } from './cancel-job.ts';
import { answerResults, resultsRoute } from './result-files.ts';
import { jobResponse, jobResultResponse, vendorJob } from './responses/job.ts';
import { validateOnlyParameter } from './vendor-job-start.ts';

const notFound = 'NOT_FOUND_BULK_JOB';
const refusals = ['BUSINESS_BULK_JOB_INVALID_TRANSITION'] as const;

/** A job of the vendor, if the token has the capability of its kind. */
async function findOwnJob(
  sql: Queryable,
  caller: VendorCaller,
  id: string,
  { isLocked = false } = {},
): Promise<Job> {
  const { vendorId } = caller;
  const job = orNotFound(await findJob(sql, id, { vendorId, isLocked }), notFound);
  requireCapability(caller, capabilityOfKind[job.kind]);
  return job;
}

/** The vendor's bulk jobs, of the kinds that the token's capabilities allow. */
export const vendorJobRoutes: AddRoutes = (app, dependencies) => {
  const { sql, lists, openJobsMax } = dependencies;
  const route = vendorRoutes(app, { capability: ['Offers', 'Stock', 'Cost'], tag: 'Jobs' });
  route({
    at: 'GET /api/v1/scent/jobs',
    operationId: 'listJobs',
    summary: 'List jobs',
    description:
      'Lists your jobs, newest first, of the kinds that the capabilities of the token allow. A ' +
      'job is kept for 30 days after its end, by default.',
    query: query({
      kind: enumParameter(jobKinds, 'Only jobs of this kind.', 'pushCosts'),
      state: enumParameter(jobStates, 'Only jobs in this state.', 'Running'),
    }),
    payload: pageOf(jobResponse),
    handler: async ({ caller: { vendorId, capabilities }, query: filter, page }) => {
      const kinds = kindsAllowed(capabilities);
      const found = await listJobs(lists, { ...filter, vendorId }, kinds, page);
      const clock = await readVendorClock(dependencies, vendorId);
      return mapItems(found, (job) => vendorJob(job, clock));
    },
  });
  route({
    at: 'GET /api/v1/scent/jobs/:id',
    operationId: 'getJob',
    summary: 'Read a job',
    description: 'Reads one job: its state, how many items have run, and when it will end.',
    payload: jobResponse,
    notFound,
    handler: async ({ caller, id }) =>
      vendorJob(
        await findOwnJob(sql, caller, id),
        await readVendorClock(dependencies, caller.vendorId),
      ),
  });
  route({
    at: 'GET /api/v1/scent/jobs/:id/results',
    operationId: 'listJobResults',
    summary: 'List the results of a job',
    ...resultsRoute,
    payload: pageOf(jobResultResponse),
    notFound,
    handler: async ({ caller, id, ...call }) => {
      await findOwnJob(sql, caller, id);
      return answerResults(lists, jobResults, id, call);
    },
  });
  route({
    at: 'POST /api/v1/scent/jobs/:id/cancel',
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description:
      'No further item runs. Items that have run stay as they are; revert the job to undo ' +
      'them. A cancelled job stays cancelled; a finished one is refused. It takes no body.',
    payload: jobResponse,
    notFound,
    refusals,
    handler: async ({ caller, id }) => {
      const cancelled = await sql.begin(async (transaction) => {
        // No batch of a locked job runs until the transaction ends.
        const job = await findOwnJob(transaction, caller, id, { isLocked: true });
        return cancelJob(transaction, bulkJobLine, job);
      });
      return vendorJob(cancelled, await readVendorClock(dependencies, caller.vendorId));
    },
  });
  route({
    at: 'POST /api/v1/scent/jobs/:id/revert',
    operationId: 'revertJob',
    summary: 'Revert a job',
    description:
      'Starts a job that restores what an ended job changed: prices, stock and fields get ' +
      'their earlier values back, and created offers are withdrawn. An offer that has changed ' +
      'since stays as it is, with `CONFLICT_VERSION` as its result. A second call returns the ' +
      'same job. It takes no body.',
    query: query({ validateOnly: validateOnlyParameter }),
    payload: jobResponse,
    statuses: [202],
    isRepeatable: true,
    notFound,
    refusals,
    handler: async ({ caller, id: revertsId, query: { validateOnly } }) => {
      const started = await sql.begin(async (transaction) => {
        const job = await findOwnJob(transaction, caller, revertsId, { isLocked: true });
        unwrap(checkRevert(job));
        const { vendorId, kind } = job;
        const asked = {
          id: uuidv7(),
          vendorId,
          credentialId: caller.credentialId,
          kind,
          revertsId,
          validateOnly: validateOnly === true,
        };
        const revert = await insertRevert(transaction, asked);
        if (revert === null) return orNotFound(await findRevert(transaction, revertsId), notFound);
        await lineUp(transaction, bulkJobLine, vendorId, openJobsMax);
        return revert;
      });
      return vendorJob(started, await readVendorClock(dependencies, caller.vendorId));
    },
  });
};
