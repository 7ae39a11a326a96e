import { onSnapshot } from '../../db/core/transaction.ts';
import { readStatusHistory } from '../../db/lists/status-history.ts';
import { listReturns } from '../../db/returns/return-list.ts';
import { findOwnReturn } from '../../db/returns/return-requests.ts';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import { returnStatuses } from '../../domain/returns/return-status.ts';
import { orNotFound } from '../http/api-error.ts';
import { pageOf, pagePayload } from '../http/envelope.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import {
  changedSinceParameter,
  enumParameter,
  includeParameter,
  pageParameters,
  query,
  rangeParameters,
  requireRange,
} from '../validation/query.ts';
import {
  readReturnResponse,
  returnRequest,
  returnWithHistory,
  type ReturnRead,
} from './responses/return-request.ts';

const notFound = 'NOT_FOUND_RETURN_REQUEST';

/** The returns that go to the vendor, with their history on request (D45). */
export const vendorReturnReadRoutes: AddRoutes = (app, { sql, lists }) => {
  const route = vendorRoutes(app, { capability: 'Orders', tag: 'Returns' });
  route(
    'GET /api/v1/scent/returns',
    {
      operationId: 'listReturns',
      summary: 'List returns: newest first, or by change time with changedSince',
      description:
        'Lists the returns that go to you, newest first; not those to another vendor or to a ' +
        'sorting point. With `changedSince` it lists only returns that changed strictly after ' +
        'that instant, in order of change; poll with the `details.nextChangedSince` of the ' +
        'previous answer. `from` and `to` limit `requestedAt`, both ends included. ' +
        '`include=history` adds the status changes.',
      query: query({
        ...pageParameters,
        status: described(
          enumParameter(returnStatuses),
          'Only returns in this status.',
          'InTransit',
        ),
        changedSince: changedSinceParameter,
        ...rangeParameters('returns requested'),
        include: includeParameter,
      }),
      payload: pageOf(readReturnResponse),
      isDelta: true,
    },
    async ({ caller: { vendorId, tokenId }, query: parameters }) => {
      const { status, changedSince, from, to, include, ...page } = parameters;
      requireRange(from, to);
      const filter = { status, changedSince, requestedFrom: from, requestedTo: to, tokenId };
      const isWithHistory = include !== null;
      const found = await listReturns(lists, vendorId, filter, page, { isWithHistory });
      const { nextChangedSince, history } = found;
      const toResponse = (item: ReturnRequest): ReturnRead =>
        history === null
          ? returnRequest(item)
          : returnWithHistory(item, history.get(item.id)?.changes ?? []);
      return { ...pagePayload(found, page, toResponse), nextChangedSince };
    },
  );
  route(
    'GET /api/v1/scent/returns/:id',
    {
      operationId: 'getReturn',
      summary: 'Read a return',
      description:
        'Reads one return that goes to you, with its inspection, evidence and lines. ' +
        '`include=history` adds its status changes, oldest first.',
      query: query({ include: includeParameter }),
      payload: readReturnResponse,
      notFound,
    },
    async ({ caller: { vendorId }, id, query: parameters }): Promise<ReturnRead> => {
      if (parameters.include === null)
        return returnRequest(orNotFound(await findOwnReturn(sql, vendorId, id), notFound));
      const [found, history] = await onSnapshot(sql, (snapshot) =>
        Promise.all([
          findOwnReturn(snapshot, vendorId, id),
          readStatusHistory(snapshot, 'return', [id]),
        ]),
      );
      return returnWithHistory(orNotFound(found, notFound), history.get(id)?.changes ?? []);
    },
  );
};
