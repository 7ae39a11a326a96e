import { openJobStates } from '../../domain/jobs/job.ts';
import type { Sql } from '../core/client.ts';
import { textList } from '../core/statements/text-list.ts';
import { openDeadline } from '../returns/timed-returns.ts';
import { selectSnapshots } from './old-snapshots.ts';

/**
 * What waits in the record, as numbers. An age or a time is in seconds, and null without rows; the
 * age of a snapshot is in transactions.
 */
type RecordCounts = Readonly<Record<keyof ReturnType<typeof recordCounts>, number | null>>;

/**
 * Counts what waits, each up to `countMax` (docs/operating/monitoring.md). Each part reads an index
 * of what waits, or kept counts, so that any backlog takes the same time.
 */
export async function readRecord(sql: Sql, countMax = 10_000): Promise<RecordCounts> {
  const counts = Object.entries(recordCounts(countMax));
  const columns = counts.map(([name, count]) => `(${count}) as "${name}"`);
  const [state] = await sql<[RecordCounts]>`select ${sql.unsafe(columns.join(', '))}`;
  return state;
}

const secondsSince = (instant: string): string =>
  `select extract(epoch from now() - (${instant}))::float8`;

/** How far the clock that is furthest ahead is ahead of real time: 0 in Production. */
const aheadMax = `
  coalesce((select max(clock_offset) from vendors where clock_offset <> '0'), interval '0')`;

/**
 * The earliest of business instants of a table, in real time. `which` is the condition on its rows,
 * by how far a clock is ahead. Rows of a clock that is not ahead come from the index of the
 * instant.
 */
const earliest = (instant: string, table: string, which: (ahead: string) => string): string => `
  select min(at) from (
    (
      select ${instant} as at from ${table} where ${which(`interval '0'`)} and not exists (
        select from vendors where vendors.id = vendor_id and clock_offset <> '0'
      ) order by ${instant} limit 1
    ) union all
    select ${instant} - clock_offset from vendors join ${table} on vendor_id = vendors.id
    where clock_offset <> '0' and ${which('clock_offset')}
  ) as instants`;

/** Deliveries that wait for a later attempt, and those in the queue. */
const waiting = (isDue: (at: string) => string): string => `(
  (select id from webhook_deliveries
    where listed_state = 'waiting' and ${isDue('next_attempt_at')} order by next_attempt_at, id)
  union all
  (select delivery_id from delivery_queue
    where ${isDue('due_at')} order by subscription_id, due_at, delivery_id)
) as waiting`;

/** The subquery of each number. */
function recordCounts(countMax: number) {
  // An order of an index makes Postgres read that index, whatever the statistics of its table are.
  const count = (rows: string): string =>
    `select count(*)::int from (select from ${rows} limit ${countMax}) as counted`;
  const switching = 'from vendors where agreement_settled_epoch < agreement_epoch';
  const openJobs = `bulk_jobs where state in (${textList(openJobStates)})`;
  const inspections = "return_requests where status = 'UnderInspection'";
  return {
    outboxMessages: count('outbox where not is_low_priority order by lane, id'),
    outboxLowPriorityMessages: count('outbox where is_low_priority order by lane, id'),
    outboxOldestAge: secondsSince(`
      select min(oldest.created_at)
      from (values ('commands'), ('runs')) as of (lane)
      cross join lateral (
        -- Of this lane or, without one, of a later lane.
        select created_at from outbox where not is_low_priority and lane >= of.lane
        order by lane, id limit 1
      ) as oldest`),
    messagesSetAside: count('outbox_set_aside'),
    reviewsOpen: count('offers where awaiting_since is not null order by awaiting_since, id'),
    reviewsOldestAge: secondsSince(
      earliest('awaiting_since', 'offers', () => 'awaiting_since is not null'),
    ),
    agreementSwitchesUnsettled: `select count(*)::int ${switching}`,
    agreementSwitchOldestAge: secondsSince(
      `select min(agreement_changed_at - clock_offset) ${switching}`,
    ),
    inspectionsOpen: count(`${inspections} order by ${openDeadline}`),
    /** The time to the next deadline; negative after it. */
    inspectionNextDeadline: `select extract(epoch from (${earliest(
      openDeadline,
      'return_requests',
      (ahead) => `status = 'UnderInspection' and ${openDeadline} > now() + ${ahead}`,
    )}) - now())::float8`,
    inspectionsOverdue: count(`${inspections} and destination = 'Supplier'
      and proposed_outcome is null
      and inspection_deadline < now() - interval '1 minute' + ${aheadMax}
      and inspection_deadline < now() - interval '1 minute' + (
        select clock_offset from vendors where id = vendor_id
      ) order by inspection_deadline`),
    returnsForStaff: count(`${inspections} and requires_staff_review
      and ${openDeadline} is not null order by ${openDeadline}`),
    deliveriesWaiting: count(waiting(() => 'true')),
    deliveriesOverdue: count(waiting((at) => `${at} < now() - interval '2 minutes'`)),
    deadLetters: `select coalesce(sum(delta), 0)::int from delivery_counts
      where state = 'deadLettered'`,
    subscriptionsInactive: count('webhook_subscriptions where not is_active'),
    jobsOpen: count(openJobs),
    jobsOldestAge: secondsSince(`select min(created_at) from ${openJobs}`),
    snapshotOldestAge: `select coalesce(max(age), 0)::int from (${selectSnapshots}) as snapshot`,
  };
}

/** The connections of a pool in one state. */
type PoolUse = {
  readonly pool: string;
  readonly state: string;
  readonly connections: number;
};

/** The gateway's connections by pool; Postgres hides the state of other roles' connections. */
export const readPools = (sql: Sql): Promise<readonly PoolUse[]> => sql<PoolUse[]>`
  select application_name as pool, coalesce(state, 'hidden') as state, count(*)::int as connections
  from pg_stat_activity
  where datname = current_database() and application_name like 'vendor-gateway %'
  group by 1, 2`;
