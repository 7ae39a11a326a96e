import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { AuditEntry } from '../../db/accounts/audit.ts';
import type { Queryable, Sql } from '../../db/core/client.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { apiError } from '../http/api-error.ts';
import { audit } from './audit.ts';
import { described } from '../validation/described.ts';
import { pathId } from '../validation/path-id.ts';

/** The field of a body that activates or deactivates something. */
export const activeField = described(v.boolean(), 'True activates, false deactivates.', true);

/** What can be activated and deactivated, and how. */
type Switchable<T> = {
  readonly subjectType: AuditEntry['subjectType'];
  readonly notFound: ErrorCode;
  /** Answers the row as it was, locked until the transaction ends. */
  readonly lock: (sql: Queryable, id: string) => Promise<T | null>;
  readonly set: (sql: Queryable, id: string, isActive: boolean) => Promise<void>;
};

/** Switches a vendor, a credential or a variant on or off, and notes it; answers it as it is now. */
export async function switchActive<T extends { readonly isActive: boolean }>(
  sql: Sql,
  request: FastifyRequest,
  { rawId, isActive }: { readonly rawId: string; readonly isActive: boolean },
  { subjectType, notFound, lock, set }: Switchable<T>,
): Promise<T> {
  const id = pathId(rawId, notFound);
  return sql.begin(async (transaction) => {
    const before = await lock(transaction, id);
    if (before === null) throw apiError(notFound);
    await set(transaction, id, isActive);
    await audit(transaction, request, {
      action: `${subjectType}.active`,
      subjectType,
      subjectId: id,
      before: { isActive: before.isActive },
      after: { isActive },
    });
    return { ...before, isActive };
  }) as Promise<T>;
}
