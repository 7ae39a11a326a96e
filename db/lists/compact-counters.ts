import type { Queryable, Sql } from '../core/client.ts';

/** Each table of kept counts, with the columns of its key. */
export const countKeys = {
  offer_counts: ['vendor_id', 'status', 'is_awaiting'],
  attempt_counts: ['subscription_id'],
  audit_counts: ['operator_id'],
  delivery_counts: ['vendor_id', 'event_type', 'state'],
  list_counts: [
    'list',
    'vendor_id',
    'status',
    'is_for_supplier',
    'requires_staff_review',
    'span',
    'starts_at',
  ],
} as const;

/**
 * Replaces the rows of each kept count by one row with their sum. One process does it at a time;
 * others skip it. Readers see the rows from before or the row from after.
 */
export async function compactCounters(sql: Sql): Promise<void> {
  for (const [table, columns] of Object.entries(countKeys)) {
    // oxlint-disable-next-line no-await-in-loop -- background work: one table after another
    await sql.begin(async (transaction) => {
      // A separate statement: the next one must see what the latest compaction has inserted.
      const [lock] = await transaction<[{ isAcquired: boolean }]>`
        select pg_try_advisory_xact_lock(hashtextextended(${table}, 0)) as is_acquired`;
      if (lock.isAcquired) await compact(transaction, table, columns);
    });
  }
}

async function compact(sql: Queryable, table: string, columns: readonly string[]): Promise<void> {
  const key = sql.unsafe(columns.join(', '));
  const keyOf = (alias: string) =>
    sql.unsafe(columns.map((column) => `${alias}.${column}`).join(', '));
  const counts = sql(table);
  await sql`
    with crowded as (
      -- Starts from the new rows: there may be millions of compacted ones.
      select distinct ${key} from ${counts} where not is_compacted
    ), gone as (
      delete from ${counts} as line using crowded
      where (${keyOf('line')}) = (${keyOf('crowded')})
      returning line.*
    )
    insert into ${counts} (${key}, delta, is_compacted)
    select ${key}, sum(delta), true from gone group by ${key} having sum(delta) <> 0`;
}
