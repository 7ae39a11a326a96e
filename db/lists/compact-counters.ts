import type { Fragment } from 'postgres';
import type { Queryable, Sql } from '../core/client.ts';
import { valueOf } from '../core/rows.ts';
import { joinByKeys } from '../core/transaction.ts';

/** Each table of kept counts, with the columns of its key. */
export const countKeys = {
  offer_counts: ['vendor_id', 'status', 'is_awaiting'],
  audit_counts: ['operator_id'],
  activity_counts: ['vendor_id', 'kind', 'hour', 'waited_step'],
  delivery_counts: ['vendor_id', 'event_type', 'state'],
  // After the counts of deliveries, whose compaction adds rows.
  attempt_counts: ['subscription_id'],
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
 * A condition that each row of the counts meets. The index begins with the column; without a
 * condition on it and without statistics, as after a restore, the planner reads the whole table.
 */
export const inAnyForm = (sql: Queryable): Fragment => sql`is_compacted in (true, false)`;

/** New rows that one statement compacts, in some tens of milliseconds. */
const batchSize = 10_000;

/**
 * Replaces the rows of each kept count by one row with their sum. One process does it at a time;
 * others skip it. Readers see the rows from before or the row from after.
 */
export async function compactCounters(sql: Sql): Promise<void> {
  for (const [table, columns] of Object.entries(countKeys)) {
    let compacted: number;
    do {
      // oxlint-disable-next-line no-await-in-loop -- background work: one batch after another
      compacted = await sql.begin(async (transaction) => {
        // A separate statement: the next one must see what the latest compaction has inserted.
        const isLocked = await valueOf(transaction`
          select pg_try_advisory_xact_lock(hashtextextended(${table}, 0))`);
        if (isLocked !== true) return 0;
        await joinByKeys(transaction);
        return compact(transaction, table, columns);
      });
    } while (compacted >= batchSize);
  }
}

/** Compacts the keys of some new rows; returns the number of rows that it replaced. */
function compact(sql: Queryable, table: string, columns: readonly string[]): Promise<number> {
  const key = sql.unsafe(columns.join(', '));
  const keyOf = (alias: string) =>
    sql.unsafe(columns.map((column) => `${alias}.${column}`).join(', '));
  const counts = sql(table);
  return valueOf(sql`
    with crowded as (
      -- Starts from the new rows: there may be millions of compacted ones.
      select distinct ${key} from (
        select ${key} from ${counts} where not is_compacted limit ${batchSize}
      ) as new_rows
    ), removed as (
      delete from ${counts} as line using crowded
      where (${keyOf('line')}) = (${keyOf('crowded')})
      returning line.*
    ), compacted as (
      insert into ${counts} (${key}, delta, is_compacted)
      select ${key}, sum(delta), true from removed group by ${key} having sum(delta) <> 0
    )
    select count(*)::int from removed`);
}
