import type { FastifyRequest } from 'fastify';
import type { AuditEntry } from '../../db/accounts/audit.ts';
import type { Queryable, Sql } from '../../db/core/client.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { orNotFound } from '../http/api-error.ts';
import { audit } from './audit.ts';

type Call = {
  readonly id: string;
  readonly body: { readonly isActive: boolean };
  readonly request: FastifyRequest;
};
type Switchable<T> = {
  readonly type: AuditEntry['subjectType'];
  readonly notFound: ErrorCode;
  /** Returns the row as it was, locked until the transaction ends. */
  readonly lock: (sql: Queryable, id: string) => Promise<T | null>;
  readonly set: (sql: Queryable, id: string, isActive: boolean) => Promise<void>;
};

/** Switches a vendor, a credential or a variant on or off, with an audit entry; returns it. */
export const switchActive = <T extends { readonly isActive: boolean }>(
  sql: Sql,
  { id, body: { isActive }, request }: Call,
  { type, notFound, lock, set }: Switchable<T>,
): Promise<T> =>
  sql.begin(async (transaction) => {
    const before = orNotFound(await lock(transaction, id), notFound);
    await set(transaction, id, isActive);
    await audit(transaction, request, `${type}.active`, id, {
      before: { isActive: before.isActive },
      after: { isActive },
    });
    return { ...before, isActive };
  }) as Promise<T>;
