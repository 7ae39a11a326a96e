import type postgres from 'postgres';
import type { Queryable } from '../core/client.ts';
import { readIdPage } from '../lists/id-page.ts';
import { equalTo, type Page, type PageRequest } from '../lists/page.ts';

/** An operator, a vendor by one of its credentials, or a command on the server. */
export type Actor =
  | { readonly operatorId: string; readonly credentialId: null }
  | { readonly operatorId: null; readonly credentialId: string }
  | { readonly operatorId: null; readonly credentialId: null; readonly isCommand: true };

/** One action with the state of its subject before and after it. */
export type AuditEntry = {
  readonly actor: Actor;
  readonly action: string;
  readonly subjectType:
    | 'vendor'
    | 'operator'
    | 'credential'
    | 'variant'
    | 'offer'
    | 'order'
    | 'group'
    | 'return'
    | 'delivery'
    | 'subscription'
    | 'reviewJob';
  readonly subjectId: string;
  readonly requestId: string;
  readonly before: postgres.JSONValue;
  readonly after: postgres.JSONValue;
};

/** Runs in the transaction of the change itself. */
export const insertAuditEntry = (sql: Queryable, entry: AuditEntry): Promise<void> =>
  insertAuditEntries(sql, [entry]);

/** As {@link insertAuditEntry}, for the changes of a batch. */
export async function insertAuditEntries(
  sql: Queryable,
  entries: readonly AuditEntry[],
): Promise<void> {
  const rows = entries.map(({ actor, ...facts }) => {
    const { operatorId, credentialId } = actor;
    return { ...facts, operatorId, credentialId, isCommand: 'isCommand' in actor };
  });
  await sql`
    insert into audit_log (
      operator_id, credential_id, is_command, action, subject_type, subject_id, request_id, before,
      after
    )
    select "operatorId", "credentialId", "isCommand", action, "subjectType", "subjectId", "requestId",
      nullif(before, 'null'::jsonb), nullif(after, 'null'::jsonb)
    from jsonb_to_recordset(${sql.json(rows)}) as given(
      "operatorId" uuid, "credentialId" uuid, "isCommand" boolean, action text, "subjectType" text,
      "subjectId" uuid, "requestId" text, before jsonb, after jsonb
    )`;
}

/**
 * A stored entry. `operatorId` is the name that the operator logs in with; one actor is null, both
 * are for a command on the server.
 */
export type RecordedAuditEntry = Pick<AuditEntry, 'action' | 'subjectId' | 'requestId'> & {
  readonly id: string;
  readonly at: Date;
  readonly operatorId: string | null;
  readonly credentialId: string | null;
  readonly subjectType: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
};

/** Newest first. Kept totals count the entries of an operator; those of one subject are few. */
export function listAuditEntries(
  sql: Queryable,
  {
    operatorId,
    subjectId,
  }: { readonly operatorId: string | null; readonly subjectId: string | null },
  request: PageRequest,
): Promise<Page<RecordedAuditEntry>> {
  return readIdPage<RecordedAuditEntry>(sql, request, (parts) => {
    const isBy =
      operatorId === null
        ? parts``
        : parts`and operator_id = (select id from operators where operator_id = ${operatorId})`;
    const rows = parts`
      audit_log where true ${isBy} ${equalTo(parts, { subject_id: subjectId })}`;
    return [
      {
        columns: parts`
          audit_log.id, at, operators.operator_id, credential_id, action, subject_type, subject_id,
          request_id, before, after`,
        tables: parts`audit_log left join operators on operators.id = audit_log.operator_id`,
        alias: parts`audit_log`,
      },
      {
        rows,
        order: [[parts`id`, 'desc']],
        total:
          subjectId === null
            ? parts`select coalesce(sum(delta), 0) from audit_counts where true ${isBy}`
            : parts`select count(*) from ${rows}`,
      },
    ];
  });
}
