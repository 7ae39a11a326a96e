import type { Queryable } from '../core/client.ts';
import { countKeys } from '../lists/compact-counters.ts';
import { leastId } from './waiting-rows.ts';
import type { RowCheck } from './scan.ts';

/** A table of kept counts, and the rows that it counts. */
type Counted = {
  /** Whose rows a page counts: the ids of `owner`, a column of the key. */
  readonly source: string;
  readonly owner: string;
  readonly table: keyof typeof countKeys;
  /** Selects the key's columns of each counted row whose owner is `any(select id from page)`. */
  readonly rows: string;
};

const vendors = 'vendors';
/** Returns of the service's own goods are counted under the least id. */
const vendorsAndService = `(select id from vendors union all select '${leastId}') as owner`;

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
    rows: `select 'groups' as list, vendor_id, status, true as is_for_supplier,
        false as requires_staff_review, span, starts_at
      from fulfilment_groups, time_spans(order_changed_at) where vendor_id in (select id from page)
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
} as const satisfies Record<string, Counted>;

export type CountedRows = keyof typeof counted;

/** Each key whose kept count is not the number of rows: the key's columns, `kept` and `real`. */
function differences({ owner, table, rows }: Counted): string {
  const columns = countKeys[table].join(', ');
  return `
    select ${columns}, coalesce(kept.total, 0) as kept, coalesce(real.total, 0) as real
    from (
      select ${columns}, sum(delta) as total from ${table}
      where ${owner} in (select id from page) group by ${columns}
    ) as kept full join (
      select ${columns}, count(*) as total from (${rows}) as row group by ${columns}
    ) as real using (${columns})
    where coalesce(kept.total, 0) <> coalesce(real.total, 0)`;
}

/** Owners whose kept counts are wrong. */
export function wrongCounts(which: CountedRows): RowCheck {
  const { source, owner, table } = counted[which];
  const names = countKeys[table].filter((column) => column !== owner);
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
  const columns = sql.unsafe(countKeys[table].join(', '));
  const { count } = await sql`
    with page as materialized (select unnest(${[...owners]}::uuid[]) as id)
    insert into ${sql(table)} (${columns}, delta)
    select ${columns}, real - kept
    from (${sql.unsafe(differences(counted[which]))}) as difference`;
  return count;
}
