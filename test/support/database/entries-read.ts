import type { Sql } from '../../../db/core/client.ts';

/**
 * How many rows of tables and entries of their indexes a list reads, by the plan that a connection
 * has after several calls. `sql` is a pool of one connection to a database that no one else uses.
 */
export async function entriesReadBy(
  sql: Sql,
  tables: string | readonly string[],
  list: (sql: Sql) => Promise<unknown>,
): Promise<number> {
  // The library prepares a statement, and Postgres keeps a plan after five executions.
  for (let count = 0; count < 6; count += 1) await list(sql);
  const before = await readUpTo(sql, [tables].flat());
  await list(sql);
  return (await readUpTo(sql, [tables].flat())) - before;
}

async function readUpTo(sql: Sql, tables: readonly string[]): Promise<number> {
  // The next statement reports what this connection has read until here.
  await sql`select pg_stat_force_next_flush()`;
  await sql`select pg_stat_clear_snapshot()`;
  const [row] = await sql<[{ count: number }]>`
    select (
      (select sum(seq_tup_read) from pg_stat_user_tables where relname = any(${[...tables]}))
        + (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes
          where relname = any(${[...tables]}))
    )::int as count`;
  return row.count;
}
