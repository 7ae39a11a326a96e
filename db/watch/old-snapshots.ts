import type { Queryable } from '../core/client.ts';
import { pageOfWrong, type SmallCheck, type WrongRow } from '../checks/scan.ts';

/**
 * What makes Postgres keep the rows that were deleted since: open transactions in this database,
 * replicas, replication slots and prepared transactions. The age is in transactions: what it costs
 * grows with the rows that were deleted meanwhile, and Postgres shows when a transaction began only
 * to its own role and to `pg_read_all_stats`.
 */
export const selectSnapshots = `
  select 'session ' || pid || ' of ' || usename
      || coalesce(' (' || nullif(application_name, '') || ')', '')
      as holder, greatest(age(backend_xid), age(backend_xmin)) as age, xact_start as since
  from pg_stat_activity
  -- Autovacuum has no user, and keeps no rows. The snapshot of this statement begins at the oldest
  -- open transaction of any database, so it would name itself for what another session holds.
  where coalesce(backend_xid, backend_xmin) is not null and usename is not null
    and pid <> pg_backend_pid() and coalesce(datname, current_database()) = current_database()
  union all
  select 'replication slot ' || slot_name, age(xmin), null from pg_replication_slots
  where xmin is not null
  union all
  select 'prepared transaction ' || gid, age(transaction), prepared from pg_prepared_xacts
  where database = current_database()`;

/** From this age on the alert GatewaySnapshotOld fires (ops/prometheus/alerts.yml). */
const ageMax = 100_000;

/** Who holds a snapshot that is older than `max` transactions, the oldest first. */
export const findOldSnapshots = (sql: Queryable, max = ageMax): Promise<readonly WrongRow[]> =>
  sql<WrongRow[]>`
    select holder as id, format('keeps the rows that the last %s transactions deleted%s', age,
      to_char(since at time zone 'UTC', '", since "YYYY-MM-DD"T"HH24:MI:SS"Z"')) as text
    from (${sql.unsafe(selectSnapshots)}) as snapshot where age > ${max} order by age desc`;

export const oldSnapshots: SmallCheck = {
  id: 'snapshot-old',
  title: 'No session keeps the rows that many transactions have deleted',
  subjectType: 'holder',
  read: (sql) => pageOfWrong(findOldSnapshots(sql)),
};
