import type { Sql } from '../../db/core/client.ts';

/** What one execution cost Postgres. */
export type Reads = {
  /** Rows of tables that were read without an index, and entries of indexes. */
  readonly rows: number;
  /** Pages of 8 KiB, from memory or disk. */
  readonly pages: number;
  readonly ms: number;
};

/**
 * The least cost of several executions. `sql` is a pool of one connection, because `pages` counts
 * the pages of a connection; `rows` counts the rows of the database.
 */
export async function measureReads(
  sql: Sql,
  {
    before,
    run,
    times = 7,
  }: {
    readonly before?: ((sql: Sql) => Promise<unknown>) | undefined;
    readonly run: (sql: Sql) => Promise<unknown>;
    readonly times?: number;
  },
): Promise<Reads> {
  const costs: Reads[] = [];
  for (let count = 0; count < times; count += 1) {
    await before?.(sql);
    costs.push(await costOf(sql, run));
  }
  // What the reading of the statistics costs.
  const idle: Reads[] = [];
  for (let count = 0; count < times; count += 1)
    idle.push(await costOf(sql, () => Promise.resolve()));
  return {
    rows: least(costs, 'rows'),
    pages: least(costs, 'pages') - least(idle, 'pages'),
    ms: least(costs, 'ms'),
  };
}

const least = (costs: readonly Reads[], of: keyof Reads): number =>
  Math.min(...costs.map((cost) => cost[of]));

async function costOf(sql: Sql, run: (sql: Sql) => Promise<unknown>): Promise<Reads> {
  const start = await readUpTo(sql);
  const startMs = performance.now();
  await run(sql);
  const ms = performance.now() - startMs;
  const end = await readUpTo(sql);
  return { rows: end.rows - start.rows, pages: end.pages - start.pages, ms };
}

async function readUpTo(sql: Sql): Promise<Omit<Reads, 'ms'>> {
  // The next statement reports what this connection has read until here.
  await sql`select pg_stat_force_next_flush()`;
  await sql`select pg_stat_clear_snapshot()`;
  const [row] = await sql<[Omit<Reads, 'ms'>]>`
    select (
        (select sum(seq_tup_read) from pg_stat_user_tables)
        + (select sum(idx_tup_read) from pg_stat_user_indexes)
      )::float8 as rows,
      (select sum(hits + reads) from pg_stat_get_backend_io(pg_backend_pid()))::float8 as pages`;
  return row;
}
