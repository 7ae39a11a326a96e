import type { Queryable } from '../core/client.ts';

/** Each table of kept counts, with the columns that name a count. */
const tables = {
  offer_counts: ['vendor_id', 'status', 'is_awaiting'],
  attempt_counts: ['subscription_id'],
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
 * Folds the lines of each kept count into one; one process at a time, and a process that finds another at it leaves it to
 * that. Whoever counts meanwhile sees the lines before or after, never in between.
 */
export async function compactCounters(sql: Queryable): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    const key = sql.unsafe(columns.join(', '));
    const counts = sql(table);
    // oxlint-disable-next-line no-await-in-loop -- one after another: it is a chore, and has no hurry
    await sql`
      with turn as materialized (
        select pg_try_advisory_xact_lock(hashtextextended(${table}, 0)) as is_ours
      ), crowded as (
        -- By what is new alone: there may be millions of lines that were folded.
        select distinct ${key} from ${counts} where not is_compacted and (select is_ours from turn)
      ), gone as (
        delete from ${counts} as line using crowded
        where (${sql.unsafe(columns.map((column) => `line.${column}`).join(', '))}) =
          (${sql.unsafe(columns.map((column) => `crowded.${column}`).join(', '))})
        returning line.*
      )
      insert into ${counts} (${key}, delta, is_compacted)
      select ${key}, sum(delta), true from gone group by ${key} having sum(delta) <> 0`;
  }
}
