import type { FastifyRequest } from 'fastify';
import { insertAuditEntry, type Actor, type AuditEntry } from '../../db/accounts/audit.ts';
import type { Queryable } from '../../db/core/client.ts';
import { apiError } from '../http/api-error.ts';

function actorOf({ caller }: FastifyRequest): Actor {
  if (caller === null) throw apiError('FORBIDDEN');
  return caller.side === 'operator'
    ? { operatorId: caller.id, credentialId: null }
    : { operatorId: null, credentialId: caller.credentialId };
}

/** Notes what the caller behind a request did, in the transaction of the change. */
export const audit = (
  sql: Queryable,
  request: FastifyRequest,
  entry: Omit<AuditEntry, 'actor' | 'requestId'>,
): Promise<void> =>
  insertAuditEntry(sql, { ...entry, actor: actorOf(request), requestId: request.id });
