import { v7 as uuidv7 } from 'uuid';
import { bulkJobLine } from '../../db/jobs/job-lines.ts';
import { insertJob } from '../../db/jobs/jobs.ts';
import { capabilityOfKind, jobKinds } from '../../domain/jobs/job.ts';
import { requireCapability } from '../auth/authenticate.ts';
import { countUpTo } from '../auth/call-points.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { apiError } from '../http/api-error.ts';
import { largeCallPauses } from '../http/large-call-pauses.ts';
import { readVendorClock } from '../sandbox/vendor-clock.ts';
import { booleanParameter, enumParameter, query } from '../validation/query.ts';
import { lineUp, refuseTooMany } from './accept-job.ts';
import { csvType, jobBody, jobBytesMax } from './job-body.ts';
import { parseJobItem } from './job-item-parsers.ts';
import { jobResponse, vendorJob } from './responses/job.ts';
import { parseStreamedItems } from './streamed-items.ts';

export const validateOnlyParameter = booleanParameter(
  'True changes nothing: the results show what each item would return.',
  'false',
);

/** Starts a bulk job. */
export const vendorJobStartRoute: AddRoutes = (app, { environment, openJobsMax }) => {
  void app.register(async (scope) => {
    parseStreamedItems(scope);
    const route = vendorRoutes(scope, {
      capability: ['Offers', 'Stock', 'Cost'],
      tag: 'Jobs',
    });
    route({
      at: 'POST /api/v1/scent/jobs',
      operationId: 'startJob',
      summary: 'Start a bulk job',
      description:
        'Accepts up to 10,000 items in up to 8 MiB, and runs them in the background, each by ' +
        'the rules of its single call. The kind needs the capability of that call. A ' +
        '`text/csv` body (a header row with the names of fields) needs the parameter `kind`. An ' +
        'item has at most 64 KiB. Your jobs run one after another.',
      config: { rate: 'jobItems', handlerTimeoutMs: 30_000, received: [csvType] },
      bodyBytesMax: jobBytesMax,
      query: query({
        kind: enumParameter(jobKinds, 'The kind of the items of a CSV body.', 'pushCosts'),
        validateOnly: validateOnlyParameter,
      }),
      body: jobBody,
      payload: jobResponse,
      statuses: [202],
      handler: async ({ caller, query: sentQuery, body, request, reply, sql }) => {
        const { kind: named, validateOnly } = sentQuery;
        const { kind, items: sent } = body;
        requireCapability(caller, capabilityOfKind[kind]);
        if (named !== null && named !== kind)
          throw apiError('VALIDATION_INVALID_QUERY_PARAMETER', {
            parameter: 'kind',
            message: 'differs from the kind in the body; send one of them',
          });
        countUpTo(request, reply, sent.length);
        const { vendorId, credentialId } = caller;
        await refuseTooMany(sql, bulkJobLine, vendorId, openJobsMax);
        const job = await sql.begin(async (transaction) => {
          const id = uuidv7();
          const asked = {
            id,
            vendorId,
            credentialId,
            kind,
            revertsId: null,
            validateOnly: validateOnly === true,
          };
          const items = {
            length: sent.length,
            // Parsed while they are stored, so that few are in memory: collections of many take
            // both processors of a small machine for some ten milliseconds.
            slice: (start: number, end: number) =>
              sent.slice(start, end).map((item) => parseJobItem(kind, item)),
          };
          const stored = await insertJob(transaction, asked, items, largeCallPauses());
          await lineUp(transaction, bulkJobLine, vendorId, openJobsMax);
          return stored;
        });
        return vendorJob(job, await readVendorClock({ environment, sql }, vendorId));
      },
    });
  });
};
