import type { Queryable } from '../core/client.ts';
import { countKeys } from '../lists/compact-counters.ts';
import { leastId } from './waiting-rows.ts';
import { decisionKinds } from '../statistics/activity.ts';
import type { RowCheck } from './scan.ts';

/** A table of kept counts, and the rows that it counts. */
type Counted = {
  /** Whose rows a page counts: the ids of `owner`, a column of the key. */
  readonly source: string;
  readonly owner: string;
  readonly table: keyof typeof countKeys;
  /** The kept rows, if they are not the rows of the table. */
  readonly kept?: string;
  /** Selects the key's columns of each counted row whose owner is `any(select id from page)`. */
  readonly rows: string;
  /** The columns of the key that are compared, if not the table's own key. */
  readonly key?: readonly string[] | undefined;
  /** How many a group of rows counts. */
  readonly amount?: string;
  /** The keys that are checked: a condition on their columns. */
  readonly which?: string;
};

const vendors = 'vendors';
/** Returns of the service's own goods are counted under the least id, as is all activity. */
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

const counted = {
  offers: {
    source: vendors,
    owner: 'vendor_id',
    table: 'offer_counts',
    rows: `select vendor_id, status, awaiting_since is not null as is_awaiting from offers
      where vendor_id in (select id from page)`,
  },
  lists: {
    source: vendorsAndService,
    owner: 'vendor_id',
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
        or vendor_id is null and exists (select from page where id = '${leastId}')`,
  },
  attempts: {
    source: 'webhook_subscriptions',
    owner: 'subscription_id',
    table: 'attempt_counts',
    rows: `select subscription_id from webhook_attempts
      where subscription_id in (select id from page)`,
  },
  deliveries: {
    source: vendors,
    owner: 'vendor_id',
    table: 'delivery_counts',
    rows: `select vendor_id, event_type, state from webhook_deliveries
      where vendor_id in (select id from page) and state <> 'waiting'`,
  },
  activity: {
    source: vendorsAndService,
    owner: 'vendor_id',
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
  },
} as const satisfies Record<string, Counted>;

export type CountedRows = keyof typeof counted;

const keyOf = ({ table, key }: Pick<Counted, 'table' | 'key'>): readonly string[] =>
  key ?? countKeys[table];

/** Each key whose kept count is not the number of rows: the key's columns, `kept` and `real`. */
function differences({
  owner,
  table,
  key,
  kept = table,
  rows,
  amount = 'count(*)',
  which = 'true',
}: Counted): string {
  const columns = keyOf({ table, key }).join(', ');
  return `
    select ${columns}, coalesce(kept.total, 0) as kept, coalesce(real.total, 0) as real
    from (
      select ${columns}, sum(delta) as total from ${kept} as key
      where ${owner} in (select id from page) and ${which} group by ${columns}
    ) as kept full join (
      select ${columns}, ${amount} as total from (${rows}) as key where ${which} group by ${columns}
    ) as real using (${columns})
    where coalesce(kept.total, 0) <> coalesce(real.total, 0)`;
}

/** Owners whose kept counts are wrong. */
export function wrongCounts(which: CountedRows): RowCheck {
  const { source, owner } = counted[which];
  const names = keyOf(counted[which]).filter((column) => column !== owner);
  return {
    source,
    pageSize: 20,
    wrong: (sql) =>
      sql.unsafe(`
        select ${owner} as id, format('%sthe kept count is %s, and there are %s',
          ${names.length === 0 ? "''" : `concat_ws(', ', ${names.join(', ')}) || ': '`},
          kept, real) as text
        from (${differences(counted[which])}) as difference`),
  };
}

/**
 * Adds to the kept counts of owners what they miss. Exact beside writers: one statement compares
 * both in one snapshot, and every writer only adds rows.
 */
export async function correctCounts(
  sql: Queryable,
  which: CountedRows,
  owners: readonly string[],
): Promise<number> {
  const { table } = counted[which];
  const columns = sql.unsafe(keyOf(counted[which]).join(', '));
  const { count } = await sql`
    with page as materialized (select unnest(${[...owners]}::uuid[]) as id)
    insert into ${sql(table)} (${columns}, delta)
    select ${columns}, real - kept
    from (${sql.unsafe(differences(counted[which]))}) as difference`;
  return count;
}
