import * as v from 'valibot';
import { listAuditEntries, type RecordedAuditEntry } from '../../db/accounts/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../http/envelope.ts';
import { id, instant, integer, orNull } from '../validation/response-parts.ts';
import { pageParameters, query, textParameter, uuidParameter } from '../validation/query.ts';
import type { Routes } from '../validation/compiler.ts';

const snapshot = orNull(v.record(v.string(), v.unknown()));
const entryForm = v.object({
  id: integer,
  at: instant,
  operatorId: orNull(v.string()),
  credentialId: orNull(id),
  action: v.string(),
  subjectType: v.string(),
  subjectId: id,
  requestId: v.string(),
  before: snapshot,
  after: snapshot,
});

const toForm = (entry: RecordedAuditEntry): v.InferInput<typeof entryForm> => ({
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
          operatorId: textParameter(255),
          subjectId: uuidParameter,
        }),
        response: { 200: envelope(pageOf(entryForm)) },
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
