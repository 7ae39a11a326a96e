import type { Queryable } from './client.ts';

/** The database's time: one clock for every process, where instants are compared. */
export async function databaseTime(sql: Queryable): Promise<Date> {
  const [row] = await sql<[{ now: Date }]>`select clock_timestamp() as now`;
  return row.now;
}
