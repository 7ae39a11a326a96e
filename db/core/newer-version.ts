import type { Queryable } from './client.ts';
import { hasSqlstate } from './failure.ts';
import { readSqlFiles } from './sql-files.ts';

/** The newest migrations of a database and of this version. */
export type NewerDatabase = { readonly ofDatabase: string; readonly ofVersion: string };

const undefinedFunction = '42883';

/** Null unless a newer version has migrated the database. */
export async function findNewerDatabase(sql: Queryable): Promise<NewerDatabase | null> {
  const ofVersion = (await readSqlFiles('migrations')).at(-1)?.name ?? '';
  try {
    const [row] = await sql<[{ ofDatabase: string }]>`select newest_migration() as of_database`;
    return row.ofDatabase > ofVersion ? { ...row, ofVersion } : null;
  } catch (error) {
    // A database of a version before the function, which is older.
    if (hasSqlstate(error, undefinedFunction)) return null;
    throw error;
  }
}
