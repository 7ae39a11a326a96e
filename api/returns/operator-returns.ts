import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import { databaseTime } from '../../db/core/clock.ts';
import { listReturnChanges } from '../../db/returns/return-history.ts';
import { listReturnsForStaff } from '../../db/returns/return-list.ts';
import { findReturn, insertReturn } from '../../db/returns/return-requests.ts';
import { onSnapshot } from '../../db/core/snapshot.ts';
import { auditedReturn } from '../../domain/returns/audited-return.ts';
import { requestReturn } from '../../domain/returns/return-request.ts';
import { returnStatuses } from '../../domain/returns/return-status.ts';
import { apiError, unwrap } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../http/envelope.ts';
import {
  operatorReturn,
  operatorReturnDetailResponse,
  operatorReturnResponse,
  returnHistory,
} from './responses/operator-return.ts';
import { described } from '../validation/described.ts';
import { pathId } from '../validation/path-id.ts';
import {
  booleanParameter,
  enumParameter,
  pageParameters,
  query,
  vendorIdParameter,
} from '../validation/query.ts';
import { returnBody } from './return-body.ts';
import { findReturnedLines } from './returned-lines.ts';
import type { Routes } from '../validation/compiler.ts';

const tags = ['Operator: returns'];
const config = { role: 'Operations' } as const;

/** Return requests as operators make and read them. */
export function operatorReturnRoutes(
  app: Routes,
  { sql, inspectionTimes, temporalUi }: Dependencies,
): void {
  app.post(
    '/operator/v1/returns',
    {
      config,
      schema: {
        body: returnBody,
        response: { 201: envelope(operatorReturnResponse) },
        tags,
        summary: 'Request a return for a customer',
        operationId: 'createReturn',
        description:
          'Makes a return request for lines of an order. To `Supplier` all lines are of one vendor, ' +
          "who reads and inspects it; a `SortingPoint` is the service's own. A line's quantity " +
          'is at most what was ordered by it. Each call makes another request, which begins `Pending`.',
      },
    },
    async (request, reply) => {
      const { destination } = request.body;
      const made = await sql.begin(async (transaction) => {
        const found = unwrap(await findReturnedLines(transaction, request.body));
        const requested = requestReturn({
          ...found,
          id: uuidv7(),
          destination,
          times: inspectionTimes,
          now: await databaseTime(transaction),
        });
        await audit(transaction, request, {
          action: 'return.create',
          subjectType: 'return',
          subjectId: requested.id,
          before: null,
          after: { ...auditedReturn(requested), destination, vendorId: requested.vendorId },
        });
        return insertReturn(transaction, requested);
      });
      return reply.code(201).send(success(operatorReturn(made, temporalUi)));
    },
  );
  app.get(
    '/operator/v1/returns',
    {
      config,
      schema: {
        querystring: query({
          ...pageParameters,
          status: described(
            enumParameter(returnStatuses),
            'Only returns in this status.',
            'UnderInspection',
          ),
          vendorId: vendorIdParameter,
          requiresStaffReview: described(
            booleanParameter,
            'Only returns that staff must review (`true`), or only the others (`false`).',
            'true',
          ),
        }),
        response: { 200: envelope(pageOf(operatorReturnResponse)) },
        tags,
        summary: 'List returns, soonest deadline first',
        operationId: 'listReturnsForStaff',
        description:
          'Every return: first those under inspection, with the soonest deadline first, and then ' +
          'the rest as they came in.',
      },
    },
    async (request) => {
      const { status = null, vendorId = null, requiresStaffReview = null, ...page } = request.query;
      const found = await listReturnsForStaff(sql, { status, vendorId, requiresStaffReview }, page);
      return success(pagePayload(found, page, (item) => operatorReturn(item, temporalUi)));
    },
  );
  app.get(
    '/operator/v1/returns/:id',
    {
      config: { ...config, refusals: ['NOT_FOUND_RETURN_REQUEST'] },
      schema: {
        params: v.object({ id: v.string() }),
        response: { 200: envelope(operatorReturnDetailResponse) },
        tags,
        summary: 'Read a return, with everything that happened to it',
        operationId: 'getReturnForStaff',
        description:
          'One return with what is not for vendors, its status changes with their reasons, and the ' +
          'link to the history of its inspection.',
      },
    },
    async (request) => {
      const id = pathId(request.params.id, 'NOT_FOUND_RETURN_REQUEST');
      const [found, changes] = await onSnapshot(sql, (snapshot) =>
        Promise.all([findReturn(snapshot, id), listReturnChanges(snapshot, [id])]),
      );
      if (found === null) throw apiError('NOT_FOUND_RETURN_REQUEST');
      const history = returnHistory(changes.get(id) ?? []);
      return success({ ...operatorReturn(found, temporalUi), history });
    },
  );
}
