import { test } from 'vitest';
import { connect } from '../../../db/core/client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

type Cleanup = { readonly onCleanup: (end: () => Promise<void>) => void };

const newDatabase = async ({}, { onCleanup }: Cleanup) => {
  const database = await createTestDatabase();
  onCleanup(() => database.drop());
  return database;
};
const newPool = ({ database }: { readonly database: TestDatabase }, { onCleanup }: Cleanup) => {
  const sql = connect(database.url, { max: 10, name: 'test' });
  onCleanup(() => sql.end({ timeout: 5 }));
  return sql;
};

/** Gives a file a migrated database of its own, and `sql`, a pool of ten connections to it. */
export const databaseTest = test
  .extend('database', { scope: 'file' }, newDatabase)
  .extend('sql', { scope: 'file' }, newPool);

/** The same for each test instead of each file. */
export const freshDatabaseTest = test.extend('database', newDatabase).extend('sql', newPool);
