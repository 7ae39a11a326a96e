import type postgres from 'postgres';
import type { Queryable } from '../core/client.ts';
import type { LatestAct, UndoFacts } from '../../domain/offers/undo-decision.ts';
import { columnsOf, toDatabaseNames, type RowOf } from '../core/columns.ts';
import { readNewest } from '../lists/id-page.ts';
import { between, equalTo, type Page, type PageRequest } from '../lists/page.ts';
import { ascending, descending } from '../lists/sort-order.ts';
import { inAnyForm } from '../lists/compact-counters.ts';

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
    | 'job'
    | 'reviewJob'
    | 'note';
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

/** What an operator did to a subject: `operatorId` is the name that the operator logs in with. */
export type OperatorAction = {
  readonly at: Date;
  readonly operatorId: string;
  readonly action: string;
  readonly status: string | null;
  readonly reason: string | null;
  /** The version of the subject after it, if the log has one. */
  readonly version: number | null;
  /** Net prices before and after it, in halalas; null where there was none. */
  readonly netBefore: number | null;
  readonly netAfter: number | null;
  readonly stagedBefore: number | null;
  readonly stagedAfter: number | null;
};

/** The latest actions of operators on a subject, the newest first. */
export const listOperatorActions = (
  sql: Queryable,
  subjectId: string,
  max: number,
): Promise<readonly OperatorAction[]> => sql<OperatorAction[]>`
  select audit_log.at, operators.operator_id, audit_log.action,
    audit_log.after ->> 'status' as status, audit_log.after ->> 'reason' as reason,
    (audit_log.after -> 'version')::int as version,
    (audit_log.before -> 'netHalalas')::int as net_before,
    (audit_log.after -> 'netHalalas')::int as net_after,
    (audit_log.before -> 'stagedNetHalalas')::int as staged_before,
    (audit_log.after -> 'stagedNetHalalas')::int as staged_after
  from audit_log join operators on operators.id = audit_log.operator_id
  where audit_log.subject_id = ${subjectId} order by audit_log.id desc limit ${max}`;

/** What was done with a subject, when, and by which operator; null: silence decided. */
export type Act = {
  readonly operatorId: string | null;
  readonly action: string;
  readonly at: Date;
};

/** An act as the details of a refusal have it: who did what, and when. */
export const actDetails = ({ operatorId: decidedBy, action: decision, at }: Act) => ({
  decidedBy,
  decision,
  at: at.toISOString(),
});

/** The latest act of an operator on each of some subjects, by their ids. */
export async function latestActsOn(
  sql: Queryable,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, Act>> {
  const rows = await sql<(Act & { readonly subjectId: string })[]>`
    select asked.id as subject_id, latest.*
    from unnest(${[...subjectIds]}::uuid[]) as asked (id), lateral (
      select operators.operator_id, audit_log.action, audit_log.at
      from audit_log join operators on operators.id = audit_log.operator_id
      where audit_log.subject_id = asked.id order by audit_log.id desc limit 1
    ) as latest`;
  return new Map(rows.map(({ subjectId, ...act }) => [subjectId, act]));
}

/** When and how the latest act on an offer can be taken back, for `undoMs`. */
export async function findLatestAct(
  sql: Queryable,
  offerId: string,
  undoMs: number,
): Promise<(LatestAct & { readonly until: Date }) | null> {
  type Stored = Omit<UndoFacts, 'awaitingSince'> & { readonly awaitingSince: string | null };
  const [row] = await sql<{ undo: Stored | null; isOver: boolean; until: Date }[]>`
    select undo, until, until <= clock_timestamp() as is_over
    from (
      select after -> 'undo' as undo, at + ${undoMs} * interval '1 millisecond' as until
      from audit_log where subject_id = ${offerId} order by id desc limit 1
    ) as latest`;
  if (row === undefined) return null;
  const since = row.undo?.awaitingSince ?? null;
  const awaitingSince = since === null ? null : new Date(since);
  return { ...row, undo: row.undo && { ...row.undo, awaitingSince } };
}

const recordedTypes = {
  id: 'bigint',
  at: 'timestamptz',
  credentialId: 'uuid?',
  action: 'text',
  subjectType: 'text',
  subjectId: 'uuid',
  requestId: 'text',
  before: 'jsonb?',
  after: 'jsonb?',
} as const;
type RecordedRow = RowOf<typeof recordedTypes>;
export const recordedColumns = columnsOf<RecordedRow>('audit_log', recordedTypes);

/**
 * A stored entry. `operatorId` is the name that the operator logs in with; one actor is null, both
 * are for a command on the server.
 */
export type RecordedAuditEntry = RecordedRow & { readonly operatorId: string | null };

type AuditFilter = {
  readonly operatorId: string | null;
  readonly subjectId: string | null;
  readonly action?: string | null;
  /** Both ends of the time, inclusive. */
  readonly from?: string | null;
  readonly to?: string | null;
};

/** The last microsecond of a millisecond, because an entry shows its time in milliseconds. */
const lastOf = (to: string | null): string | null => to?.replace(/000Z$/, '999Z') ?? null;

/** Newest first. Kept totals count the entries of an operator; one subject has few entries. */
export const listAuditEntries = (
  sql: Queryable,
  { operatorId, subjectId, action = null, from = null, to = null }: AuditFilter,
  request: PageRequest,
): Promise<Page<RecordedAuditEntry>> =>
  readNewest<RecordedAuditEntry>(sql, request, recordedColumns, (parts) => {
    // Without a subject, an array and the order by the operator, so that Postgres finds the entries
    // in their index. By the order of the ids alone it may read all other entries first.
    const isByTime = (from ?? to) !== null;
    const isPlain = !isByTime && action === null && subjectId === null;
    const isByOperator = operatorId !== null && isPlain;
    const isBy =
      operatorId === null
        ? parts``
        : parts`and operator_id = any(array(
            select id from operators where operator_id = ${operatorId}
          ))`;
    const keptTotal = parts`
      select coalesce(sum(delta), 0) from audit_counts where ${inAnyForm(parts)} ${isBy}`;
    return {
      conditions: parts`${isBy} ${equalTo(parts, { subject_id: subjectId, action })}
        ${between(parts, 'at', from, lastOf(to))}`,
      more: parts`,
        (select operator_id from operators where id = audit_log.operator_id) as operator_id`,
      order: [
        ...ascending(...(isByOperator ? ['operator_id'] : [])),
        ...descending(...(isByTime ? ['at'] : []), 'id'),
      ],
      ...(isPlain ? { total: keptTotal } : {}),
    };
  });
