import * as v from 'valibot';
import { listAuditEntries, type RecordedAuditEntry } from '../../db/accounts/audit.ts';
import { pageOf, pagePayload } from '../http/envelope.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { pageParameters, query, textParameter, uuidParameter } from '../validation/query.ts';
import { id, instant, integer, orNull } from '../validation/response-parts.ts';

const snapshot = orNull(v.record(v.string(), v.unknown()));
const auditEntryResponse = v.object({
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

const auditEntry = (entry: RecordedAuditEntry): v.InferInput<typeof auditEntryResponse> => ({
  ...entry,
  id: Number(entry.id),
  at: entry.at.toISOString(),
});

/** The audit log of operators' changes, and of vendors' changes to credentials and profiles. */
export const operatorAuditRoute: AddRoutes = (app, { sql }) => {
  const route = operatorRoutes(app, { role: 'Admin', tag: 'Operator: audit' });
  route(
    'GET /operator/v1/audit',
    {
      operationId: 'listAuditEntries',
      summary: 'Read the audit log, newest first',
      description:
        'Lists the changes that operators made, and those that vendors made to their own ' +
        'credentials and profile. Each entry has the actor, the action, the time, the request id ' +
        'and the state before and after.',
      query: query({
        ...pageParameters,
        operatorId: textParameter(255),
        subjectId: uuidParameter,
      }),
      payload: pageOf(auditEntryResponse),
    },
    async ({ query: { operatorId = null, subjectId = null, ...page } }) =>
      pagePayload(await listAuditEntries(sql, { operatorId, subjectId }, page), page, auditEntry),
  );
};
