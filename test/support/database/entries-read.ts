import type { Sql } from '../../../db/core/client.ts';

/**
 * How many rows of a table and entries of its indexes a list reads, by the plan that a connection
 * has after several calls. `sql` is a pool of one connection to a database that no one else uses.
 */
export async function entriesReadBy(
  sql: Sql,
  table: string,
  list: (sql: Sql) => Promise<unknown>,
): Promise<number> {
  // The library prepares a statement, and Postgres keeps a plan after five executions.
  for (let count = 0; count < 6; count += 1) await list(sql);
  const before = await readUpTo(sql, table);
  await list(sql);
  return (await readUpTo(sql, table)) - before;
}

async function readUpTo(sql: Sql, table: string): Promise<number> {
  // The next statement reports what this connection has read until here.
  await sql`select pg_stat_force_next_flush()`;
  await sql`select pg_stat_clear_snapshot()`;
  const [row] = await sql<[{ count: number }]>`
    select (seq_tup_read + (
      select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes where relname = ${table}
    ))::int as count
    from pg_stat_user_tables where relname = ${table}`;
  return row.count;
}
