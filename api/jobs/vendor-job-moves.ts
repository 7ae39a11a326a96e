import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../../db/core/client.ts';
import { bulkJobLine } from '../../db/jobs/job-lines.ts';
import type { Job } from '../../db/jobs/job-row.ts';
import { findRevert, insertRevert, lockJob } from '../../db/jobs/jobs.ts';
import { capabilityOfKind, checkRevert } from '../../domain/jobs/job.ts';
import { requireCapability } from '../auth/authenticate.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound, unwrap } from '../http/api-error.ts';
import { query } from '../validation/query.ts';
import { lineUp } from './accept-job.ts';
import { cancelJob } from './cancel-job.ts';
import { jobResponse, vendorJob } from './responses/job.ts';
import { validateOnlyParameter } from './vendor-job-start.ts';

const notFound = 'NOT_FOUND_BULK_JOB';
const refusals = ['BUSINESS_BULK_JOB_INVALID_TRANSITION'] as const;

/** The vendor's job, locked: no batch of it runs until the transaction ends. */
async function lockOwnJob(sql: Queryable, caller: VendorCaller, id: string): Promise<Job> {
  const job = orNotFound(await lockJob(sql, id, caller.vendorId), notFound);
  requireCapability(caller, capabilityOfKind[job.kind]);
  return job;
}

/** Cancels and reverts a bulk job (D88, D90). */
export const vendorJobMoveRoutes: AddRoutes = (app, { sql, openJobsMax }) => {
  const route = vendorRoutes(app, { capability: ['Offers', 'Stock', 'Cost'], tag: 'Jobs' });
  route(
    'POST /api/v1/scent/jobs/:id/cancel',
    {
      operationId: 'cancelJob',
      summary: 'Cancel a job',
      description:
        'No further item runs. Items that have run stay as they are; revert the job to undo ' +
        'them. A cancelled job stays cancelled; a finished one is refused. It takes no body.',
      payload: jobResponse,
      notFound,
      refusals,
    },
    async ({ caller, id }) => {
      const cancelled = await sql.begin(async (transaction) => {
        const job = await lockOwnJob(transaction, caller, id);
        return cancelJob(transaction, bulkJobLine, job);
      });
      return vendorJob(cancelled);
    },
  );
  route(
    'POST /api/v1/scent/jobs/:id/revert',
    {
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
    },
    async ({ caller, id: revertsId, query: { validateOnly } }) => {
      const started = await sql.begin(async (transaction) => {
        const job = await lockOwnJob(transaction, caller, revertsId);
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
      return vendorJob(started);
    },
  );
};
