import { connect, type Sql } from '../../../db/core/client.ts';
import { onRollback } from '../../../db/core/transaction.ts';

/**
 * How many rows of a table a command reads, by indexes or without, after `fill` has filled the
 * table. The command keeps the plans of its statements from when a vacuum had found it empty.
 */
export async function rowsReadAfter(
  databaseUrl: string,
  table: string,
  { run, fill }: Readonly<Record<'run' | 'fill', (sql: Sql) => Promise<unknown>>>,
): Promise<number> {
  const sql = connect(databaseUrl, { max: 1, name: 'test' });
  try {
    await sql`vacuum (analyze) ${sql(table)}`;
    // The library prepares a statement, and Postgres keeps a plan after five executions.
    for (let count = 0; count < 6; count += 1) await onRollback(sql, run);
    await fill(sql);
    return await onRollback(sql, async (transaction) => {
      await run(transaction);
      const [row] = await transaction<{ count: number }[]>`
        select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
        from pg_stat_xact_user_tables where relname = ${table}`;
      return row?.count ?? NaN;
    });
  } finally {
    await sql.end();
  }
}
