import type { Queryable } from './client.ts';

/** The database's time: the one clock by which all processes compare instants. */
export async function databaseTime(sql: Queryable): Promise<Date> {
  const [row] = await sql<[{ now: Date }]>`select clock_timestamp() as now`;
  return row.now;
}

/** A clock that continues from an instant of the database and does not use this machine's clock. */
export function clockFrom(instant: Date): () => Date {
  const readMs = performance.now();
  return () => new Date(instant.getTime() + performance.now() - readMs);
}
