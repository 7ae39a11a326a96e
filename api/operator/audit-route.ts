import * as v from 'valibot';
import { listAuditEntries, type RecordedAuditEntry } from '../../db/accounts/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { id, instant, integer, orNull, textOrNull } from '../validation/response-parts.ts';
import { sample } from '../validation/sample.ts';
import { pageParameters, query, textParameter, uuidParameter } from '../validation/query.ts';
import type { Routes } from '../validation/compiler.ts';

const snapshot = orNull(v.record(v.string(), v.unknown()));
const entryResponse = v.object({
  id: described(integer, 'The number of the entry; later entries have higher numbers.', 1042),
  at: described(instant, 'When it was done, in UTC.', sample.approvedAt),
  operatorId: described(
    textOrNull,
    "The operator's login name; null when a vendor acted.",
    sample.operatorId,
  ),
  credentialId: described(
    orNull(id),
    "The id of the vendor's credential; null when an operator acted.",
    null,
  ),
  action: described(v.string(), 'The type of the subject, a dot and the action.', 'offer.approve'),
  subjectType: described(v.string(), 'The type of the subject.', 'offer'),
  subjectId: described(id, 'The id of the subject.', sample.offerId),
  requestId: described(v.string(), 'The `X-Request-Id` of the call.', 'f3b1c7d2-review-17'),
  before: described(snapshot, 'The facts before; null when the subject was created.', {
    status: 'PendingReview',
    version: 1,
  }),
  after: described(snapshot, 'The facts after; null when the subject was deleted.', {
    status: 'Approved',
    version: 2,
  }),
});

const toForm = (entry: RecordedAuditEntry): v.InferInput<typeof entryResponse> => ({
  ...entry,
  id: Number(entry.id),
  at: entry.at.toISOString(),
});

/**
 * What operators have done, and vendors to their own credentials and profile, newest first: who, what, when, on whose
 * request, before and after.
 */
export function operatorAuditRoute(app: Routes, { sql }: Dependencies): void {
  app.get(
    '/operator/v1/audit',
    {
      config: { role: 'Admin' },
      schema: {
        querystring: query({
          ...pageParameters,
          operatorId: described(
            textParameter(255),
            'Only actions of the operator with exactly this login name.',
            sample.operatorId,
          ),
          subjectId: described(
            uuidParameter,
            'Only actions on the subject with this id.',
            sample.offerId,
          ),
        }),
        response: { 200: envelope(pageOf(entryResponse)) },
        tags: ['Operator: audit'],
        summary: 'Read the audit log, newest first',
        operationId: 'listAuditEntries',
        description:
          'What operators did, and vendors to their own credentials and profile: who, what, when, ' +
          'on which request, before and after.',
      },
    },
    async (request) => {
      const { operatorId = null, subjectId = null, ...page } = request.query;
      const found = await listAuditEntries(sql, { operatorId, subjectId }, page);
      return success(pagePayload(found, page, toForm));
    },
  );
}
