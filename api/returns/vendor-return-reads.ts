import * as v from 'valibot';
import { listReturnChanges } from '../../db/returns/return-history.ts';
import { listReturns } from '../../db/returns/return-list.ts';
import { findOwnReturn } from '../../db/returns/return-requests.ts';
import { onSnapshot } from '../../db/core/snapshot.ts';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import { returnStatuses } from '../../domain/returns/return-status.ts';
import { apiError } from '../http/api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  changesEnvelope,
  envelope,
  pageOf,
  pagePayload,
  success,
  successWithChanges,
} from '../http/envelope.ts';
import {
  readReturnResponse,
  returnRequest,
  returnWithHistory,
  type ReturnRead,
} from './responses/return-request.ts';
import { returnStatusText } from './return-texts.ts';
import { pathId } from '../validation/path-id.ts';
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
import type { Routes } from '../validation/compiler.ts';

const config = { capability: 'Orders' } as const;
const tags = ['Returns'];

/** `GET /api/v1/scent/returns` and `/{id}` (D45): the returns that come to the vendor, with their history on request. */
export function returnsReadRoutes(app: Routes, { sql }: Dependencies): void {
  app.get(
    '/api/v1/scent/returns',
    {
      config,
      schema: {
        querystring: query({
          ...pageParameters,
          status: described(
            enumParameter(returnStatuses),
            `Only returns in this status. ${returnStatusText}`,
            'InTransit',
          ),
          changedSince: changedSinceParameter,
          ...rangeParameters('returns requested'),
          include: includeParameter,
        }),
        response: { 200: changesEnvelope(pageOf(readReturnResponse)) },
        tags,
        summary: 'List returns: newest first, or by change time with changedSince',
        operationId: 'listReturns',
        description:
          'The returns that come to you, with the newest first. Returns to another vendor or to a ' +
          'sorting point are not among them. With `changedSince` only those that changed strictly ' +
          'after that instant, in order of change; poll with the `details.nextChangedSince` of the ' +
          'answer before. `from` and `to` bound `requestedAt` and include both ends. ' +
          '`include=history` adds the status changes.',
      },
    },
    async (request) => {
      const { status, changedSince, from, to, include, ...page } = request.query;
      requireRange(from, to);
      const { vendorId, tokenId } = vendorOf(request);
      const filter = {
        status: status ?? null,
        changedSince: changedSince ?? null,
        requestedFrom: from ?? null,
        requestedTo: to ?? null,
        tokenId,
      };
      const isWithHistory = include !== undefined;
      const found = await listReturns(sql, vendorId, filter, page, { isWithHistory });
      const { nextChangedSince, history } = found;
      const toForm = (item: ReturnRequest): ReturnRead =>
        history === null
          ? returnRequest(item)
          : returnWithHistory(item, history.get(item.id) ?? []);
      return successWithChanges(pagePayload(found, page, toForm), nextChangedSince);
    },
  );
  app.get(
    '/api/v1/scent/returns/:id',
    {
      config: { ...config, refusals: ['NOT_FOUND_RETURN_REQUEST'] },
      schema: {
        params: v.object({ id: v.string() }),
        querystring: query({ include: includeParameter }),
        response: { 200: envelope(readReturnResponse) },
        tags,
        summary: 'Read a return',
        operationId: 'getReturn',
        description:
          'One return that comes to you, with its inspection, evidence and lines. `include=history` ' +
          'adds its status changes, the oldest first.',
      },
    },
    async (request) => {
      const id = pathId(request.params.id, 'NOT_FOUND_RETURN_REQUEST');
      const { vendorId } = vendorOf(request);
      if (request.query.include === undefined) {
        const found = await findOwnReturn(sql, vendorId, id);
        if (found === null) throw apiError('NOT_FOUND_RETURN_REQUEST');
        return success<ReturnRead>(returnRequest(found));
      }
      const [found, history] = await onSnapshot(sql, (snapshot) =>
        Promise.all([findOwnReturn(snapshot, vendorId, id), listReturnChanges(snapshot, [id])]),
      );
      if (found === null) throw apiError('NOT_FOUND_RETURN_REQUEST');
      return success(returnWithHistory(found, history.get(id) ?? []));
    },
  );
}
