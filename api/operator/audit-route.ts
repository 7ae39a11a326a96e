import * as v from 'valibot';
import { storedOperatorId } from '../../db/accounts/operators.ts';
import { listAuditEntries } from '../../db/accounts/audit.ts';
import { staffRoles } from '../../domain/accounts/operator-roles.ts';
import { requireRole } from '../auth/authenticate.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { sample } from '../validation/sample.ts';
import {
  query,
  rangeParameters,
  requireRange,
  textParameter,
  uuidParameter,
} from '../validation/query.ts';
import { field, orNull, titled } from '../validation/response-parts.ts';

const snapshot = v.record(v.string(), v.unknown());
export const auditEntryResponse = titled('AuditEntry', {
  id: field.integer('The number of the entry; later entries have higher numbers.', 1042),
  at: field.instant('When it was done, in UTC.', sample.approvedAt),
  operatorId: field.textOrNull(
    "The operator's login name; null when a vendor or a command on the server acted.",
    sample.operatorId,
  ),
  credentialId: field.idOrNull(
    "The id of the vendor's credential; null when an operator or a command acted.",
    null,
  ),
  action: field.text('The type of the subject, a dot and the action.', 'offer.approve'),
  subjectType: field.text('The type of the subject.', 'offer'),
  subjectId: field.id('The id of the subject.', sample.offerId),
  requestId: field.text('The `X-Request-Id` of the call.', 'f3b1c7d2-review-17'),
  before: orNull(snapshot, 'The state before; null when the subject was created.', {
    status: 'PendingReview',
    version: 1,
  }),
  after: orNull(snapshot, 'The state after; null when the subject was deleted.', {
    status: 'Approved',
    version: 2,
  }),
});

/**
 * The audit log of operators' changes, and of vendors' changes to credentials, subscriptions and
 * profiles.
 */
export const operatorAuditRoute: AddRoutes = (app, { lists }) => {
  const route = operatorRoutes(app, { role: staffRoles, tag: 'Operator: audit' });
  route({
    at: 'GET /operator/v1/audit',
    operationId: 'listAuditEntries',
    summary: 'Read the audit log, newest first',
    description:
      'Lists the changes that operators made, and those that vendors made to their own ' +
      'credentials, subscriptions and profile. Each entry has the actor, the action, the time, ' +
      'the request id and the state before and after. A call without `subjectId` needs the role ' +
      '`Admin`.',
    query: query({
      operatorId: textParameter(
        255,
        'Only actions of the operator with this login name.',
        sample.operatorId,
      ),
      subjectId: uuidParameter('Only actions on the subject with this id.', sample.offerId),
      action: textParameter(100, 'Only entries of this action.', 'offer.approve'),
      ...rangeParameters('entries recorded'),
    }),
    payload: pageOf(auditEntryResponse),
    handler: async ({ caller, page, query: { operatorId, ...others } }) => {
      const { subjectId, from, to } = others;
      requireRange(from, to);
      if (subjectId === null) requireRole(caller.roles, 'Admin');
      const asked = operatorId === null ? null : await storedOperatorId(lists, operatorId);
      const filter = { ...others, operatorId: asked ?? operatorId };
      const found = await listAuditEntries(lists, filter, page);
      return mapItems(found, (entry) => ({ ...entry, id: Number(entry.id) }));
    },
  });
};
