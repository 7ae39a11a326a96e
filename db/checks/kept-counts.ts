import { rowCountOf } from '../core/rows.ts';
import { countKeys } from '../lists/compact-counters.ts';
import { leastId } from './waiting-rows.ts';
import { decisionKinds } from '../statistics/activity.ts';
import type { TableCheck } from './scan.ts';

/** A table of kept counts, and the rows that it counts. */
type Counted = Pick<TableCheck, 'id' | 'title'> & {
  /** Whose rows a page of `source` counts; the key has its id. Default: the vendors. */
  readonly owner?: 'vendor' | 'subscription' | 'operator';
  readonly source?: string;
  readonly table: keyof typeof countKeys;
  /** The kept rows, if they are not the rows of the table. */
  readonly kept?: string;
  /** Selects the key's columns of each counted row whose owner is `any(select id from page)`. */
  readonly rows: string;
  /** The columns of the key that are compared, if not the table's own key. */
  readonly key?: readonly string[];
  /** How many a group of rows counts. */
  readonly amount?: string;
  /** The keys that are checked: a condition on their columns. */
  readonly which?: string;
};

/**
 * Returns of the service's own goods are counted under the least id, as are all activity and the
 * audit entries of others than operators.
 */
const service = `'${leastId}'::uuid`;
const vendorsAndService = `(select id from vendors union all select ${service}) as owner`;
const isServicePage = `exists (select from page where id = ${service})`;

/** The first hour that is compared; older ones are deleted. */
const activitySince = `date_trunc('hour', now(), 'UTC') - interval '90 days'`;

/**
 * Counts of activity whose hours the record has: of decisions, and of returns unless the clock was
 * advanced, because returns have business instants. The service's counts of attempts and waiting
 * offers are the sums of the vendors' counts.
 */
const activityRows = `
  select owner as vendor_id, kind, date_trunc('hour', at, 'UTC') as hour, 1 as amount
  from (
    select vendor_id, action as kind, at from audit_log join offers on offers.id = subject_id
    where action = any('{${Object.values(decisionKinds).join()}}')
    union all
    select vendor_id, 'return.requested', requested_at from return_requests
    union all
    select vendor_id, 'return.decided', inspection_decided_at from return_requests
  ) as happened cross join activity_owners(vendor_id) as owner
  where (vendor_id in (select id from page) or ${isServicePage})
    and owner in (select id from page) and at >= ${activitySince}
  union all
  select ${service}, kind, hour, delta from all_activity()
  where ${isServicePage} and vendor_id <> ${service}
    and kind in ('attempt.succeeded', 'attempt.failed', 'offer.waiting')`;

/** Checks the kept counts of owners, page by page. */
function countCheck({
  table,
  owner = 'vendor',
  source = 'vendors',
  key = countKeys[table],
  kept = table,
  rows,
  amount = 'count(*)',
  which = 'true',
  ...named
}: Counted) {
  const ownerColumn = `${owner}_id`;
  const columns = key.join(', ');
  const names = key.filter((column) => column !== ownerColumn);
  /** Each key whose kept count is not the number of rows: the key's columns, `kept` and `real`. */
  const differences = `
    select ${columns}, coalesce(kept.total, 0) as kept, coalesce(real.total, 0) as real
    from (
      select ${columns}, sum(delta) as total from ${kept} as key
      where ${ownerColumn} in (select id from page) and ${which} group by ${columns}
    ) as kept full join (
      select ${columns}, ${amount} as total from (${rows}) as key where ${which} group by ${columns}
    ) as real using (${columns})
    where coalesce(kept.total, 0) <> coalesce(real.total, 0)`;
  return {
    ...named,
    subjectType: owner,
    source,
    pageSize: 20,
    wrong: (sql) =>
      sql.unsafe(`
        select ${ownerColumn} as id, format('%sthe kept count is %s, and there are %s',
          ${names.length === 0 ? "''" : `concat_ws(', ', ${names.join(', ')}) || ': '`},
          kept, real) as text
        from (${differences}) as difference`),
    /**
     * Adds to the counts what they miss. Exact beside writers: one statement compares both in one
     * snapshot, and every writer only adds rows.
     */
    repair: (sql, owners) =>
      rowCountOf(sql`
        with page as materialized (select unnest(${[...owners]}::uuid[]) as id)
        insert into ${sql(table)} (${sql.unsafe(columns)}, delta)
        select ${sql.unsafe(columns)}, real - kept
        from (${sql.unsafe(differences)}) as difference`),
  } satisfies TableCheck;
}

/** The check of each table of kept counts. */
export const countChecks = {
  offers: countCheck({
    id: 'offer-counts',
    title: 'The kept counts of offers are right',
    table: 'offer_counts',
    rows: `select vendor_id, status, awaiting_since is not null as is_awaiting from offers
      where vendor_id in (select id from page)`,
  }),
  lists: countCheck({
    id: 'list-counts',
    title: 'The kept counts of groups and returns are right',
    source: vendorsAndService,
    table: 'list_counts',
    kept: 'all_list_counts()',
    rows: `select 'groups' as list, vendor_id, status, true as is_for_supplier,
        false as requires_staff_review, span, starts_at
      from fulfilment_groups, time_spans(order_changed_at) where vendor_id in (select id from page)
      union all
      select distinct on (order_id, vendor_id)
        'orders', vendor_id, '', true, false, 'ever', '-infinity'::timestamptz
      from fulfilment_groups where vendor_id in (select id from page)
      union all
      select 'returns', coalesce(vendor_id, '${leastId}'), status, destination = 'Supplier',
        requires_staff_review, span, starts_at
      from return_requests, time_spans(changed_at)
      where vendor_id in (select id from page)
        or vendor_id is null and ${isServicePage}`,
  }),
  attempts: countCheck({
    id: 'attempt-counts',
    title: 'The kept counts of attempts are right',
    source: 'webhook_subscriptions',
    owner: 'subscription',
    table: 'attempt_counts',
    kept: 'all_attempt_counts()',
    rows: `select subscription_id from webhook_attempts
      where subscription_id in (select id from page)`,
  }),
  deliveries: countCheck({
    id: 'delivery-counts',
    title: 'The kept counts of deliveries are right',
    table: 'delivery_counts',
    rows: `select vendor_id, event_type, state from webhook_deliveries
      where vendor_id in (select id from page) and state <> 'waiting'`,
  }),
  audit: countCheck({
    id: 'audit-counts',
    title: 'The kept counts of audit entries are right',
    source: `(select id from operators union all select ${service}) as owner`,
    owner: 'operator',
    table: 'audit_counts',
    rows: `select operator_id from audit_log where operator_id in (select id from page)
      union all
      select ${service} from audit_log where operator_id is null and ${isServicePage}`,
  }),
  activity: countCheck({
    id: 'activity-counts',
    title: 'The kept counts by hour are right',
    source: vendorsAndService,
    table: 'activity_counts',
    kept: 'all_activity()',
    // Compactions of an earlier version drop the steps of the waits.
    key: ['vendor_id', 'kind', 'hour'],
    rows: activityRows,
    amount: 'sum(amount)',
    which: `hour >= ${activitySince} and case
      when kind like 'return.%' then not exists (
        select from vendors
        where clock_offset <> '0' and key.vendor_id in (vendors.id, ${service})
      )
      when kind like 'attempt.%' or kind = 'offer.waiting' then key.vendor_id = ${service}
      else true end`,
  }),
};
