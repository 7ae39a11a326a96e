import type { Queryable } from './client.ts';

/** The database's time: the one clock by which all processes compare instants. */
export async function databaseTime(sql: Queryable): Promise<Date> {
  const [row] = await sql<[{ now: Date }]>`select clock_timestamp() as now`;
  return row.now;
}
