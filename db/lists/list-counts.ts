import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import { equalTo } from './page.ts';
import { inAnyForm } from './compact-counters.ts';

type CountFilter = {
  readonly list: 'groups' | 'returns' | 'orders';
  readonly vendorId: string | null;
  /** Orders have none. */
  readonly status: string | null;
  /** Of returns only. */
  readonly isForSupplier?: boolean | null;
  readonly requiresStaffReview?: boolean | null;
};

const rowsOf = (sql: Queryable, filter: CountFilter): Fragment => sql`
  list_counts where ${inAnyForm(sql)} and list = ${filter.list} ${equalTo(sql, {
    vendor_id: filter.vendorId,
    status: filter.status,
    is_for_supplier: filter.isForSupplier ?? null,
    requires_staff_review: filter.requiresStaffReview ?? null,
  })}`;

/**
 * A subquery: the number of groups, returns or orders from the kept counts, at the same cost for
 * any number. Until a compaction, new orders are in the row of their groups.
 */
export function countListed(sql: Queryable, filter: CountFilter): Fragment {
  const kept = sql`select coalesce(sum(delta), 0) from ${rowsOf(sql, filter)} and span = 'ever'`;
  if (filter.list !== 'orders') return sql`select (${kept})::int`;
  const groups = rowsOf(sql, { ...filter, list: 'groups' });
  const recent = sql`select coalesce(sum(orders), 0) from ${groups} and not is_compacted`;
  return sql`select ((${kept}) + (${recent}))::int`;
}

/**
 * A subquery: the number of them that changed after an instant (RFC 3339 text). Kept counts have
 * the later days, and the later hours of the instant's day; those that have not been compacted have
 * their hour. Within the instant's hour the rows are counted. `rows` is the table with a condition
 * on it, and `changedAt` its change time.
 */
export const countChanged = (
  sql: Queryable,
  filter: CountFilter & {
    readonly list: 'groups' | 'returns';
    readonly changedSince: string;
  },
  { rows, changedAt }: Readonly<Record<'rows' | 'changedAt', Fragment>>,
): Fragment => {
  const since = sql`${filter.changedSince}::text::timestamptz`;
  const start = (span: 'day' | 'hour') => sql`date_trunc(${span}, ${since}, 'UTC')`;
  const kept = sql`select coalesce(sum(delta), 0) from ${rowsOf(sql, filter)}`;
  return sql`
    select (
      (${kept} and span = 'day' and starts_at > ${start('day')})
      + (${kept} and span = 'hour' and starts_at > ${start('hour')}
        and starts_at < ${start('day')} + interval '24 hours')
      + (${kept} and not is_compacted and hour > ${start('hour')})
      + (select count(*) from ${rows} and ${changedAt} > ${since}
        and ${changedAt} < ${start('hour')} + interval '1 hour')
    )::int`;
};
