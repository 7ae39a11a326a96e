import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';

/** A migrated, empty database of a test's own. */
export type TestDatabase = {
  readonly url: string;
  /** Drops it and ends its connections. */
  drop(): Promise<void>;
};

async function asAdmin<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(inject('postgresAdminUrl'), { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Copies the migrated template: some 40 ms, where migrating anew would cost many times that. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(
    (sql) => sql`create database ${sql(name)} template ${sql(inject('templateDatabase'))}`,
  );
  return {
    url: inject('postgresAdminUrl').replace(/[^/]+$/, name),
    async drop() {
      await asAdmin((sql) => sql`drop database if exists ${sql(name)} with (force)`);
    },
  };
}
