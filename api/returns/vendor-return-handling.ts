import { v7 as uuidv7 } from 'uuid';
import { addEvidence, moveReturn, proposeOutcome } from '../../domain/returns/return-request.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { changeReturn } from './change-return.ts';
import { evidenceBody, proposalBody } from './return-body.ts';
import {
  evidenceOf,
  evidenceResponse,
  returnRequest,
  returnRequestResponse,
} from './responses/return-request.ts';

const notFound = 'NOT_FOUND_RETURN_REQUEST';

/** Commands of the vendor that a return goes to (part 4, D44): receipt, evidence, proposal. */
export const vendorReturnHandlingRoutes: AddRoutes = (app) => {
  const route = vendorRoutes(app, { capability: 'Orders', tag: 'Returns' });
  route(
    'PATCH /api/v1/scent/returns/:id/received',
    {
      operationId: 'confirmReturnReceipt',
      summary: 'Confirm receipt',
      description:
        'Confirms that the goods have arrived: moves a return from `InTransit` to `Received` and ' +
        'sets `receivedAt`. The call takes no body. After it you can add evidence. The ' +
        'inspection starts 24 hours later, unless an operator starts it sooner.',
      payload: returnRequestResponse,
      notFound,
      refusals: ['BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
    },
    async ({ sql, caller: { vendorId }, id: returnId }) => {
      const received = await changeReturn(sql, {
        returnId,
        vendorId,
        decide: (found, now) => moveReturn(found, 'receive', now),
        signal: 'received',
      });
      return returnRequest(received);
    },
  );
  route(
    'POST /api/v1/scent/returns/:id/evidence',
    {
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
    },
    async ({ sql, caller: { vendorId }, id: returnId, body }) => {
      const { evidence } = await changeReturn(sql, {
        returnId,
        vendorId,
        decide: (found, now) => addEvidence(found, { id: uuidv7(), ...body, uploadedAt: now }),
        signal: 'evidence',
      });
      const added = evidence.at(-1);
      if (added === undefined) throw new Error('the return has no evidence after adding one');
      return evidenceOf(added);
    },
  );
  route(
    'PATCH /api/v1/scent/returns/:id/inspection/propose',
    {
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
    },
    async ({ sql, caller: { vendorId }, id: returnId, body }) => {
      const proposed = await changeReturn(sql, {
        returnId,
        vendorId,
        decide: (found, now) => proposeOutcome(found, body.outcome, now),
        signal: 'proposed',
      });
      return returnRequest(proposed);
    },
  );
};
