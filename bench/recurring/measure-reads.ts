import type { Sql } from '../../db/core/client.ts';

/** What one run cost Postgres. */
export type Reads = {
  /** Rows of tables that were read without an index, and entries of indexes. */
  readonly rows: number;
  /** Pages of 8 KiB, from memory or disk. */
  readonly pages: number;
  readonly ms: number;
};

/**
 * The least cost of several runs. `sql` is a pool of one connection, because `pages` are those of a
 * connection; `rows` are those of the database.
 */
export async function measureReads(
  sql: Sql,
  {
    before = () => Promise.resolve(),
    run,
    times = 7,
  }: {
    readonly before?: ((sql: Sql) => Promise<unknown>) | undefined;
    readonly run: (sql: Sql) => Promise<unknown>;
    readonly times?: number;
  },
): Promise<Reads> {
  const all: Reads[] = [];
  for (let count = 0; count < times; count += 1) {
    await before(sql);
    // What the reading of the statistics costs.
    const idle = await readUpTo(sql);
    const start = await readUpTo(sql);
    const startMs = performance.now();
    await run(sql);
    const ms = performance.now() - startMs;
    const end = await readUpTo(sql);
    all.push({
      rows: end.rows - start.rows,
      pages: end.pages - start.pages - (start.pages - idle.pages),
      ms,
    });
  }
  const least = (of: keyof Reads): number => Math.min(...all.map((reads) => reads[of]));
  return { rows: least('rows'), pages: least('pages'), ms: least('ms') };
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
