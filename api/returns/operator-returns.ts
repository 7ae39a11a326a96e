import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../../db/core/client.ts';
import { businessNow } from '../../db/core/clock.ts';
import { onSnapshot } from '../../db/core/transaction.ts';
import { readStatusHistory } from '../../db/lists/status-history.ts';
import { countEarlierReturns } from '../../db/returns/earlier-returns.ts';
import { listReturnsForStaff } from '../../db/returns/return-list.ts';
import { findReturnNow, insertReturn } from '../../db/returns/return-requests.ts';
import { auditedReturn } from '../../domain/returns/audited-return.ts';
import {
  requestReturn,
  type InspectionTimes,
  type ReturnRequest,
} from '../../domain/returns/return-request.ts';
import { returnStatuses } from '../../domain/returns/return-status.ts';
import { orNotFound, unwrap } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { audit } from '../operator/audit.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import {
  booleanParameter,
  enumParameter,
  hoursParameter,
  orderGlobalIdParameter,
  query,
  returnNumberParameter,
  vendorIdParameter,
} from '../validation/query.ts';
import { sample } from '../validation/sample.ts';
import {
  listedReturnResponse,
  operatorReturn,
  operatorReturnDetailResponse,
  operatorReturnResponse,
} from './responses/operator-return.ts';
import { returnBody } from './return-body.ts';
import { findReturnedLines, type NamedLines } from './returned-lines.ts';

const notFound = 'NOT_FOUND_RETURN_REQUEST';

export async function createReturn(
  sql: Queryable,
  request: FastifyRequest,
  body: NamedLines,
  times: InspectionTimes,
): Promise<ReturnRequest> {
  const { destination } = body;
  const found = unwrap(await findReturnedLines(sql, body));
  const now = await businessNow(sql, found.vendorId);
  const requested = requestReturn({ ...found, id: uuidv7(), destination, times, now });
  await audit(sql, request, 'return.create', requested.id, {
    before: null,
    after: { ...auditedReturn(requested), destination, vendorId: requested.vendorId },
  });
  return insertReturn(sql, requested);
}

/** Return requests: create, list, read. */
export const operatorReturnRoutes: AddRoutes = (
  app,
  { sql, lists, inspectionTimes, temporalUi },
) => {
  const route = operatorRoutes(app, { role: 'Operations', tag: 'Operator: returns' });
  route({
    at: 'POST /operator/v1/returns',
    operationId: 'createReturn',
    summary: 'Request a return for a customer',
    description:
      'Creates a return request, in `Pending`, for lines of an order. To the destination ' +
      '`Supplier` all lines must be of one vendor, who inspects them. A `SortingPoint` belongs ' +
      'to the service. The quantity of a line must not exceed the ordered quantity, and all ' +
      'open and accepted returns of a line together must not either. A rejected, withdrawn or ' +
      'closed return counts no more. Each call without an `Idempotency-Key` creates another ' +
      'request.',
    body: returnBody,
    payload: operatorReturnResponse,
    statuses: [201],
    refusals: ['BUSINESS_RETURN_QUANTITY_EXCEEDED'],
    handler: async ({ body, request, sql: commands }) => {
      const stored = await commands.begin((transaction) =>
        createReturn(transaction, request, body, inspectionTimes),
      );
      return operatorReturn(stored, temporalUi);
    },
  });
  route({
    at: 'GET /operator/v1/returns',
    operationId: 'listReturnsForStaff',
    summary: 'List returns, soonest deadline first',
    description:
      'Lists all returns. Those under inspection come first, soonest deadline first; the rest ' +
      'follow in the order of their requests.',
    query: query({
      status: enumParameter(returnStatuses, 'Only returns in this status.', 'UnderInspection'),
      vendorId: vendorIdParameter,
      orderGlobalId: orderGlobalIdParameter('Only returns of this order.', sample.orderGlobalId),
      returnRequestNumber: returnNumberParameter(
        'Only the return with this number, with or without `RR-` and zeros.',
        'RR-00000042',
      ),
      requiresStaffReview: booleanParameter(
        'Only returns that staff must review (`true`), or only the others (`false`).',
        'true',
      ),
      dueWithinHours: hoursParameter(
        'Only returns under inspection whose window ends within this number of hours, or has ' +
          'ended. Silence or staff decides then.',
        '6',
      ),
    }),
    payload: pageOf(listedReturnResponse),
    handler: async ({ query: asked, page }) => {
      const { orderGlobalId: orderId, returnRequestNumber: number, ...filter } = asked;
      const found = await listReturnsForStaff(lists, { ...filter, orderId, number }, page);
      return mapItems(found, ({ request, now }) => ({
        ...operatorReturn(request, temporalUi),
        now,
      }));
    },
  });
  route({
    at: 'GET /operator/v1/returns/:id',
    operationId: 'getReturnForStaff',
    summary: 'Read a return with its history',
    description:
      'Reads one return with the fields that vendors do not see, its status changes with their ' +
      "reasons, what became of the vendor's earlier returns, and a link to its inspection's " +
      'history.',
    payload: operatorReturnDetailResponse,
    notFound,
    handler: async ({ id }) => {
      const [found, changes] = await onSnapshot(sql, (snapshot) =>
        Promise.all([findReturnNow(snapshot, id), readStatusHistory(snapshot, 'return', [id])]),
      );
      const { request, now } = orNotFound(found, notFound);
      return {
        ...operatorReturn(request, temporalUi),
        now,
        history: changes.get(id)?.changes ?? [],
        earlierReturns: await countEarlierReturns(lists, request),
      };
    },
  });
};
