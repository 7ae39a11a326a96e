import type postgres from 'postgres';
import type { Queryable } from '../core/client.ts';
import { toDatabaseNames } from '../core/columns.ts';
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

const entryColumns = `operator_id, credential_id, is_command, action, subject_type, subject_id,
  request_id, before, after`;

/** Runs in the transaction of the changes themselves. */
export async function insertAuditEntries(
  sql: Queryable,
  ...entries: readonly AuditEntry[]
): Promise<void> {
  const rows = entries.map(({ actor, ...facts }) =>
    toDatabaseNames({ ...facts, ...actor, isCommand: 'isCommand' in actor }),
  );
  const columns = sql.unsafe(entryColumns);
  await sql`
    insert into audit_log (${columns})
    select ${columns} from jsonb_populate_recordset(null::audit_log, ${sql.json(rows)})`;
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
