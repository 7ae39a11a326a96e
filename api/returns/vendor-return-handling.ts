import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import { lockReturn } from '../../db/returns/return-requests.ts';
import { isEvidenceUrl } from '../../domain/returns/evidence-url.ts';
import {
  addEvidence,
  evidenceKinds,
  moveReturn,
  proposeOutcome,
} from '../../domain/returns/return-request.ts';
import { inspectionOutcomes } from '../../domain/returns/return-status.ts';
import { vendorOf } from '../auth/authenticate.ts';
import { changeReturn, type ReturnMove } from './change-return.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { text } from '../validation/fields.ts';
import {
  evidenceResponse,
  evidenceOf,
  returnRequest,
  returnRequestResponse,
} from './responses/return-request.ts';
import { sample } from '../validation/sample.ts';
import { evidenceKindText, evidenceUrlText, outcomesText } from './return-texts.ts';
import { pathId } from '../validation/path-id.ts';
import type { Routes } from '../validation/compiler.ts';

const params = v.object({ id: v.string() });
const answer = envelope(returnRequestResponse);
const tags = ['Returns'];
const config = { capability: 'Orders' } as const;
const evidenceUrl = v.pipe(
  text(2048),
  v.check(isEvidenceUrl, 'invalid_url: must be an absolute https URL without a user name'),
  v.metadata({ jsonSchema: { format: 'uri', maxLength: 2048, pattern: '^https://' } }),
);
const evidenceBody = v.strictObject({
  url: described(evidenceUrl, evidenceUrlText, sample.evidenceUrl),
  kind: described(v.picklist(evidenceKinds), ...evidenceKindText),
});
const proposeBody = v.strictObject({
  outcome: described(v.picklist(inspectionOutcomes), outcomesText, 'AcceptedSound'),
});

/** What a vendor does with returns that come to it (part 4, D44): receipt, evidence, a proposal. */
export function returnsHandleRoutes(app: Routes, { sql }: Dependencies): void {
  const change = (rawId: string, vendorId: string, move: Omit<ReturnMove, 'lock'>) => {
    const id = pathId(rawId, 'NOT_FOUND_RETURN_REQUEST');
    return changeReturn(sql, {
      ...move,
      lock: (transaction) => lockReturn(transaction, id, { vendorId }),
    });
  };
  app.patch(
    '/api/v1/scent/returns/:id/received',
    {
      config: {
        ...config,
        refusals: ['NOT_FOUND_RETURN_REQUEST', 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
      },
      schema: {
        params,
        response: { 200: answer },
        tags,
        summary: 'Confirm receipt',
        operationId: 'confirmReturnReceipt',
        description:
          'Tells that the goods have come: from `InTransit` to `Received`, with `receivedAt`. It ' +
          'takes no body. From then on evidence is taken, and 24 hours later the inspection starts ' +
          'by itself unless staff start it sooner.',
      },
    },
    async (request) => {
      const { vendorId } = vendorOf(request);
      const received = await change(request.params.id, vendorId, {
        decide: (found, now) => moveReturn(found, 'receive', now),
        signal: 'received',
      });
      return success(returnRequest(received));
    },
  );
  app.post(
    '/api/v1/scent/returns/:id/evidence',
    {
      config: {
        ...config,
        refusals: [
          'NOT_FOUND_RETURN_REQUEST',
          'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION',
          'BUSINESS_RETURN_REQUEST_NOT_RECEIVED',
          'BUSINESS_RETURN_EVIDENCE_LIMIT',
        ],
      },
      schema: {
        params,
        body: evidenceBody,
        response: { 201: envelope(evidenceResponse) },
        tags,
        summary: 'Add evidence: the address of a photo or a document',
        operationId: 'addReturnEvidence',
        description:
          'Records where a photo or a document is found, in the statuses `Received` and ' +
          '`UnderInspection`. The address is absolute https without a user name; it is stored and ' +
          'never fetched. Each call adds a piece, up to 100 of them, and the status stays.',
      },
    },
    async (request, reply) => {
      const { vendorId } = vendorOf(request);
      const { evidence } = await change(request.params.id, vendorId, {
        decide: (found, now) =>
          addEvidence(found, { id: uuidv7(), ...request.body, uploadedAt: now }),
        signal: 'evidence',
      });
      const added = evidence.at(-1);
      if (added === undefined) throw new Error('evidence that was added is not there');
      return reply.code(201).send(success(evidenceOf(added)));
    },
  );
  app.patch(
    '/api/v1/scent/returns/:id/inspection/propose',
    {
      config: {
        ...config,
        refusals: [
          'NOT_FOUND_RETURN_REQUEST',
          'BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED',
          'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION',
        ],
      },
      schema: {
        params,
        body: proposeBody,
        response: { 200: answer },
        tags,
        summary: 'Propose what the inspection found',
        operationId: 'proposeInspectionOutcome',
        description:
          'Records your proposal while the return is `UnderInspection`; at least one `Photo` must ' +
          'be among its evidence. The service decides: a proposal changes no status, and may be ' +
          'replaced until the decision. A proposed `Rejected` sets `requiresStaffReview`, which ' +
          'stays set. Without any proposal the inspection is decided at `inspectionWindowDeadline` ' +
          'by what the customer claimed.',
      },
    },
    async (request) => {
      const { vendorId } = vendorOf(request);
      const proposed = await change(request.params.id, vendorId, {
        decide: (found) => proposeOutcome(found, request.body.outcome),
        signal: 'proposed',
      });
      return success(returnRequest(proposed));
    },
  );
}
