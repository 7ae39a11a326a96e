import type { Queryable } from './client.ts';
import { hasSqlstate } from './failure.ts';
import { valueOf } from './rows.ts';
import { readSqlFiles } from './sql-files.ts';

/** The newest migrations of a database and of this version. */
export type NewerDatabase = { readonly ofDatabase: string; readonly ofVersion: string };

const undefinedFunction = '42883';

/** Null unless a newer version has migrated the database. */
export async function findNewerDatabase(sql: Queryable): Promise<NewerDatabase | null> {
  const ofVersion = (await readSqlFiles('migrations')).at(-1)?.name ?? '';
  try {
    const ofDatabase = await valueOf<string>(sql`select newest_migration()`);
    return ofDatabase > ofVersion ? { ofDatabase, ofVersion } : null;
  } catch (error) {
    // A database of a version before the function, which is older.
    if (hasSqlstate(error, undefinedFunction)) return null;
    throw error;
  }
}
