import { test } from 'vitest';
import { connect } from '../../../db/core/client.ts';
import { createTestDatabase } from './database.ts';

/** Gives a file a migrated database of its own, and `sql`, a pool of ten connections to it. */
export const databaseTest = test
  .extend('database', { scope: 'file' }, async ({}, { onCleanup }) => {
    const database = await createTestDatabase();
    onCleanup(() => database.drop());
    return database;
  })
  .extend('sql', { scope: 'file' }, ({ database }, { onCleanup }) => {
    const sql = connect(database.url, { max: 10, name: 'test' });
    onCleanup(() => sql.end({ timeout: 5 }));
    return sql;
  });

/** The same for each test instead of each file. */
export const freshDatabaseTest = test
  .extend('database', async ({}, { onCleanup }) => {
    const database = await createTestDatabase();
    onCleanup(() => database.drop());
    return database;
  })
  .extend('sql', ({ database }, { onCleanup }) => {
    const sql = connect(database.url, { max: 10, name: 'test' });
    onCleanup(() => sql.end({ timeout: 5 }));
    return sql;
  });
