import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

type CountFilter = {
  readonly list: 'groups' | 'returns';
  readonly vendorId: string | null;
  readonly status: string | null;
  /** Of returns: those that go to the supplier. */
  readonly isForSupplier?: boolean | null;
  /** Of returns: those that wait for staff. */
  readonly requiresStaffReview?: boolean | null;
};

const whereOf = (
  sql: Queryable,
  { list, vendorId, status, isForSupplier = null, requiresStaffReview = null }: CountFilter,
): Fragment => sql`
  where list = ${list}
    ${vendorId === null ? sql`` : sql`and vendor_id = ${vendorId}`}
    ${status === null ? sql`` : sql`and status = ${status}`}
    ${isForSupplier === null ? sql`` : sql`and is_for_supplier = ${isForSupplier}`}
    ${requiresStaffReview === null ? sql`` : sql`and requires_staff_review = ${requiresStaffReview}`}`;

/** A subquery: how many groups or returns there are, from the kept counts, in the same time whatever the number. */
export const countListed = (sql: Queryable, filter: CountFilter): Fragment => sql`
  select coalesce(sum(delta), 0)::int from list_counts ${whereOf(sql, filter)} and span = 'ever'`;

/**
 * A subquery: how many of them changed after an instant (RFC 3339 text). The days after its own come from the kept counts, and so
 * do the hours of its day after its own; within that hour they are counted. `rows` is the table with a condition on it, and
 * `changedAt` its change time.
 */
export const countChanged = (
  sql: Queryable,
  filter: CountFilter & { readonly changedSince: string },
  { rows, changedAt }: { readonly rows: Fragment; readonly changedAt: Fragment },
): Fragment => {
  const since = sql`${filter.changedSince}::text::timestamptz`;
  const start = (span: 'day' | 'hour') => sql`date_trunc(${span}, ${since}, 'UTC')`;
  const kept = sql`select coalesce(sum(delta), 0) from list_counts ${whereOf(sql, filter)}`;
  return sql`
    select (
      (${kept} and span = 'day' and starts_at > ${start('day')})
      + (${kept} and span = 'hour' and starts_at > ${start('hour')}
        and starts_at < ${start('day')} + interval '24 hours')
      + (select count(*) from ${rows} and ${changedAt} > ${since}
        and ${changedAt} < ${start('hour')} + interval '1 hour')
    )::int`;
};
