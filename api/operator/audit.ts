import type { FastifyRequest } from 'fastify';
import { insertAuditEntries, type Actor, type AuditEntry } from '../../db/accounts/audit.ts';
import type { Queryable } from '../../db/core/client.ts';
import { noteChange } from '../security/report.ts';
import { apiError } from '../http/api-error.ts';

/** Changes that the security log has a line for: who may call, and where events go. */
const securitySubjects = /^(?:vendor|credential|subscription)\./;

type SubjectType = AuditEntry['subjectType'];

/** The actor of an audit entry: the operator that acts for the caller, else the caller. */
export function actorOf({ caller, actingOperator }: FastifyRequest): Actor {
  if (actingOperator !== null) return { operatorId: actingOperator.id, credentialId: null };
  if (caller === null) throw apiError('FORBIDDEN');
  return caller.side === 'operator'
    ? { operatorId: caller.id, credentialId: null }
    : { operatorId: null, credentialId: caller.credentialId };
}

/**
 * Records what the actor of a request did, in the transaction of the change. The action starts
 * with the kind of its subject: `offer.suspend`.
 */
export function audit(
  sql: Queryable,
  request: FastifyRequest,
  action: `${SubjectType}.${string}`,
  subjectId: string,
  change: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> {
  if (securitySubjects.test(action)) noteChange(request, action, subjectId);
  return insertAuditEntries(sql, {
    ...change,
    action,
    subjectId,
    subjectType: action.slice(0, action.indexOf('.')) as SubjectType,
    actor: actorOf(request),
    requestId: request.id,
  });
}
