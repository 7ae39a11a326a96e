import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';

/** A migrated, empty database of a test's own. */
export type TestDatabase = {
  /** As the owner, who may do anything. */
  readonly url: string;
  /** As the role of the API. */
  readonly apiUrl: string;
  /** As the role of the worker. */
  readonly workerUrl: string;
  /** Drops it and ends its connections. */
  drop(): Promise<void>;
};

let admin: postgres.Sql | null = null;

/** One connection for all files of this process: to open one takes as long as to copy the files. */
const asAdmin = (): postgres.Sql =>
  (admin ??= postgres(inject('postgresAdminUrl'), { max: 1, idle_timeout: 5, onnotice: () => {} }));

/**
 * Copies the files of the migrated template: 25 ms in memory, a small part of what a migration
 * costs. Without `file_copy`, Postgres also writes them to its WAL.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const sql = asAdmin();
  await sql`
    create database ${sql(name)} template ${sql(inject('templateDatabase'))} strategy file_copy`;
  const { apiUrl, workerUrl } = inject('postgresProcessUrls');
  const named = (url: string): string => url.replace(/[^/]+$/, name);
  return {
    url: named(inject('postgresAdminUrl')),
    apiUrl: named(apiUrl),
    workerUrl: named(workerUrl),
    async drop() {
      await sql`drop database if exists ${sql(name)} with (force)`;
    },
  };
}
