import { finalReturnStatuses } from '../../domain/returns/return-status.ts';
import type { Queryable } from '../core/client.ts';
import { hasMessage } from './waiting-rows.ts';

/** What the record says of the row of a run. */
export type RecordState = {
  readonly id: string;
  readonly state: string;
  /** Whether the row waits for a run. */
  readonly isWaiting: boolean;
  /** Null where runs do not show it. */
  readonly version: number | null;
  /** Since when something should have happened, if that is longer ago than the grace. */
  readonly overdueSince: Date | null;
  /** A message or a step is under way, so that the run may not know the row yet. */
  readonly isChanging: boolean;
};

/** How long a step may be due before it counts as overdue: workers may be busy or restarting. */
const grace = "interval '1 minute'";

const selects = {
  offerReview: (sql: Queryable, ids: readonly string[]) => sql`
    select offers.id, status as state, awaiting_since is not null as is_waiting,
      null::int as version, null::timestamptz as overdue_since,
      offers.agreement_epoch < vendors.agreement_epoch
        or ${sql.unsafe(hasMessage('offers.id'))} as is_changing
    from offers join vendors on vendors.id = offers.vendor_id
    where offers.id = any(${[...ids]}::uuid[])`,
  returnInspection: (sql: Queryable, ids: readonly string[]) => sql`
    select id, status as state, status <> all(${[...finalReturnStatuses]}) as is_waiting, version,
      case when due_at < clock_timestamp() - ${sql.unsafe(grace)} then due_at end as overdue_since,
      ${sql.unsafe(hasMessage('request.id'))} as is_changing
    from return_requests as request cross join lateral (
      -- In real time, as runs have it.
      select return_due_at(request) - coalesce((
        select clock_offset from vendors where vendors.id = request.vendor_id
      ), '0') as due_at
    ) as due
    where id = any(${[...ids]}::uuid[])`,
  webhookDelivery: (sql: Queryable, ids: readonly string[]) => sql`
    select delivery.id,
      case when delivery.state = 'waiting' and listed_state is null then 'batched'
        else delivery.state end as state,
      coalesce(listed_state = 'waiting', false) as is_waiting,
      null::int as version,
      case when latest.next_attempt_at < clock_timestamp() - ${sql.unsafe(grace)}
        then latest.next_attempt_at end as overdue_since,
      is_under_way and latest.created_at > clock_timestamp() - interval '5 minutes'
        or ${sql.unsafe(hasMessage('delivery.id'))} as is_changing
    from webhook_deliveries as delivery
    left join webhook_attempts as latest
      on latest.delivery_id = delivery.id and latest.attempt_number = delivery.attempts
    where delivery.id = any(${[...ids]}::uuid[])`,
} as const;

/** The rows that are deleted, and whose runs get a message about it. */
const findDeleted = (sql: Queryable, ids: readonly string[]) => sql<RecordState[]>`
  select distinct subject_id as id, 'deleted' as state, false as is_waiting, null::int as version,
    null::timestamptz as overdue_since, true as is_changing
  from outbox where subject_id = any(${[...ids]}::uuid[])`;

/** The rows of runs, by id. A row that the record does not have is missing. */
export async function readRecordStates(
  sql: Queryable,
  kind: keyof typeof selects,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecordState>> {
  const rows = await sql<RecordState[]>`${selects[kind](sql, ids)}`;
  const found = new Map(rows.map((row) => [row.id, row]));
  const gone = ids.filter((id) => !found.has(id));
  if (gone.length > 0) for (const row of await findDeleted(sql, gone)) found.set(row.id, row);
  return found;
}
