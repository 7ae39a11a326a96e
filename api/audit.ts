import type { FastifyRequest } from 'fastify';
import { insertAuditEntry, type AuditEntry } from '../db/audit.ts';
import type { Queryable } from '../db/client.ts';
import { operatorOf } from './auth/authenticate.ts';

/** Notes what the operator behind a request did, in the transaction of the change. */
export const audit = (
  sql: Queryable,
  request: FastifyRequest,
  entry: Omit<AuditEntry, 'operatorId' | 'requestId'>,
): Promise<void> =>
  insertAuditEntry(sql, { ...entry, operatorId: operatorOf(request).id, requestId: request.id });
