import type { Sql } from '../../../db/core/client.ts';

/** The bytes that a Postgres server has written to its write-ahead log so far. */
export async function walPosition(sql: Sql): Promise<number> {
  const [{ bytes }] = await sql<[{ bytes: number }]>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`;
  return bytes;
}
