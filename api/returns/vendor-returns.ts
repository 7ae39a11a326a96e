import { v7 as uuidv7 } from 'uuid';
import { listReturns } from '../../db/returns/return-list.ts';
import { findOwnReturn, findOwnReturnWithHistory } from '../../db/returns/return-requests.ts';
import {
  addEvidence,
  moveReturn,
  proposeOutcome,
  type ReturnRequest,
} from '../../domain/returns/return-request.ts';
import { returnStatuses } from '../../domain/returns/return-status.ts';
import { orNotFound } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { readVendorClock } from '../sandbox/vendor-clock.ts';
import {
  changedSinceParameter,
  enumParameter,
  includeParameter,
  query,
  rangeParameters,
  requireRange,
} from '../validation/query.ts';
import { changeReturn } from './change-return.ts';
import { evidenceBody, proposalBody } from './return-body.ts';
import {
  evidenceResponse,
  readReturnResponse,
  returnRequest,
  returnRequestResponse,
  returnWithHistory,
  type ReturnRead,
} from './responses/return-request.ts';

const notFound = 'NOT_FOUND_RETURN_REQUEST';

/**
 * The returns that go to the vendor, with their history on request, and the vendor's commands on
 * them (part 4): receipt, evidence, proposal.
 */
export const vendorReturnRoutes: AddRoutes = (app, dependencies) => {
  const { sql, lists } = dependencies;
  const route = vendorRoutes(app, { capability: 'Orders', tag: 'Returns' });
  route({
    at: 'GET /api/v1/scent/returns',
    operationId: 'listReturns',
    summary: 'List returns: newest first, or by change time with changedSince',
    description:
      'Lists the returns that go to you, newest first; not those to another vendor or to a ' +
      'sorting point. With `changedSince` it lists only returns that changed strictly after ' +
      'that instant, in order of change; poll with the `details.nextChangedSince` of the ' +
      'previous response. `from` and `to` limit `requestedAt`, both ends included. ' +
      '`include=history` adds the status changes.',
    query: query({
      status: enumParameter(returnStatuses, 'Only returns in this status.', 'InTransit'),
      changedSince: changedSinceParameter,
      ...rangeParameters('returns requested'),
      include: includeParameter,
    }),
    payload: pageOf(readReturnResponse),
    isDelta: true,
    handler: async ({ caller: { vendorId, tokenId }, query: parameters, page }) => {
      const { status, changedSince, from, to, include } = parameters;
      requireRange(from, to);
      const clock = await readVendorClock(dependencies, vendorId);
      clock.requirePast({ changedSince, from, to });
      const filter = { status, changedSince, requestedFrom: from, requestedTo: to, tokenId };
      const isWithHistory = include !== null;
      const found = await listReturns(lists, vendorId, filter, page, { isWithHistory });
      const { history } = found;
      const toResponse = (item: ReturnRequest): ReturnRead =>
        history === null
          ? returnRequest(item)
          : returnWithHistory(item, history.get(item.id)?.changes ?? []);
      return mapItems(found, toResponse);
    },
  });
  route({
    at: 'GET /api/v1/scent/returns/:id',
    operationId: 'getReturn',
    summary: 'Read a return',
    description:
      'Reads one return that goes to you, with its inspection, evidence and lines. ' +
      '`include=history` adds its status changes, oldest first.',
    query: query({ include: includeParameter }),
    payload: readReturnResponse,
    notFound,
    handler: async ({ caller: { vendorId }, id, query: parameters }): Promise<ReturnRead> => {
      if (parameters.include === null)
        return returnRequest(orNotFound(await findOwnReturn(sql, vendorId, id), notFound));
      const read = orNotFound(await findOwnReturnWithHistory(sql, vendorId, id), notFound);
      return returnWithHistory(read.found, read.changes);
    },
  });
  route({
    at: 'PATCH /api/v1/scent/returns/:id/received',
    operationId: 'confirmReturnReceipt',
    summary: 'Confirm receipt',
    description:
      'Confirms that the goods have arrived: moves a return from `InTransit` to `Received` and ' +
      'sets `receivedAt`. The call takes no body. After it you can add evidence. The ' +
      'inspection starts 24 hours later, unless an operator starts it sooner.',
    payload: returnRequestResponse,
    notFound,
    refusals: ['BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
    handler: async ({ sql, caller: { vendorId }, id: returnId }) => {
      const received = await changeReturn(sql, {
        returnId,
        vendorId,
        decide: (found, now) => moveReturn(found, 'receive', now),
        signal: 'received',
      });
      return returnRequest(received);
    },
  });
  route({
    at: 'POST /api/v1/scent/returns/:id/evidence',
    operationId: 'addReturnEvidence',
    summary: 'Add evidence: the URL of a photo or a document',
    description:
      'Stores the URL of a photo or a document, in the statuses `Received` and ' +
      '`UnderInspection`. The URL must be absolute https without a user name; the service ' +
      'stores it in the normal form of URLs and never fetches it. Each call without an ' +
      '`Idempotency-Key` adds an entry, up to 100. The status does not change.',
    body: evidenceBody,
    payload: evidenceResponse,
    statuses: [201],
    notFound,
    refusals: [
      'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION',
      'BUSINESS_RETURN_REQUEST_NOT_RECEIVED',
      'BUSINESS_RETURN_EVIDENCE_LIMIT',
    ],
    handler: async ({ sql, caller: { vendorId }, id: returnId, body }) => {
      const { evidence } = await changeReturn(sql, {
        returnId,
        vendorId,
        decide: (found, now) => addEvidence(found, { id: uuidv7(), ...body, uploadedAt: now }),
        signal: 'evidence',
      });
      const added = evidence.at(-1);
      if (added === undefined) throw new Error('the return has no evidence after adding one');
      return added;
    },
  });
  route({
    at: 'PATCH /api/v1/scent/returns/:id/inspection/propose',
    operationId: 'proposeInspectionOutcome',
    summary: 'Propose the outcome of an inspection',
    description:
      'Stores your proposal while the return is `UnderInspection`. It requires at least one ' +
      '`Photo` as evidence. An operator decides: a proposal changes no status, and you can ' +
      'replace it until the decision and before `inspectionWindowDeadline`. From the deadline ' +
      'on, the call is refused with `details.reason` `WINDOW_CLOSED`. Proposing `Rejected` ' +
      'sets `requiresStaffReview`, which stays set. Without a proposal the service decides at ' +
      'the deadline, by what the customer claimed.',
    body: proposalBody,
    payload: returnRequestResponse,
    notFound,
    refusals: [
      'BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED',
      'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION',
    ],
    handler: async ({ sql, caller: { vendorId }, id: returnId, body }) => {
      const proposed = await changeReturn(sql, {
        returnId,
        vendorId,
        decide: (found, now) => proposeOutcome(found, body.outcome, now),
        signal: 'proposed',
      });
      return returnRequest(proposed);
    },
  });
};
