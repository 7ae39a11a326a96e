import type postgres from 'postgres';
import type { Queryable } from './client.ts';

/** One thing an operator did: who, what, when (the database's clock), on whose request, before and after. */
export type AuditEntry = {
  readonly operatorId: string;
  readonly action: string;
  readonly subjectType: 'vendor' | 'credential' | 'variant' | 'offer';
  readonly subjectId: string;
  readonly requestId: string;
  readonly before: postgres.JSONValue;
  readonly after: postgres.JSONValue;
};

/** Written in the transaction of the change itself. */
export async function insertAuditEntry(sql: Queryable, entry: AuditEntry): Promise<void> {
  const { operatorId, action, subjectType, subjectId, requestId, before, after } = entry;
  await sql`
    insert into audit_log (operator_id, action, subject_type, subject_id, request_id, before, after)
    values (${operatorId}, ${action}, ${subjectType}, ${subjectId}, ${requestId},
      ${before === null ? null : sql.json(before)}, ${after === null ? null : sql.json(after)})`;
}
