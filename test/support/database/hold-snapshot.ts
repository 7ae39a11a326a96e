import { connect } from '../../../db/core/client.ts';

/**
 * Opens a transaction that keeps its snapshot, like the transaction of a `pg_dump`: until
 * `release`, Postgres keeps all rows of its database that are deleted.
 */
export async function holdSnapshot(databaseUrl: string) {
  const sql = connect(databaseUrl, { max: 1, name: 'held snapshot' });
  const session = await sql.reserve();
  await session`begin isolation level repeatable read`;
  await session`select count(*) from installation`;
  return {
    release: async (): Promise<void> => {
      await session`commit`;
      session.release();
      await sql.end({ timeout: 5 });
    },
  };
}
