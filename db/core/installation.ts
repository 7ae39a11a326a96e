import type { Environment } from '../../domain/accounts/credentials.ts';
import { InstallationProblem, otherEnvironment } from '../../domain/installation.ts';
import type { Queryable } from './client.ts';
import { hasSqlstate } from './failure.ts';
import { valueOf } from './rows.ts';
import { readSqlFiles } from './sql-files.ts';

/**
 * Stores the environment of a database at its first migration. A database of an earlier version has
 * the environment of its credentials. Throws InstallationProblem for the database of another
 * environment.
 */
export async function claimDatabase(sql: Queryable, environment: Environment): Promise<void> {
  const table = await valueOf<EnvironmentTable | null>(sql`
    select coalesce(to_regclass('installation'), to_regclass('credentials'))::text`);
  const own = table === null ? null : await readEnvironment(sql, table);
  refuseOther(own, environment);
  if (own !== null && table === 'installation') return;
  await sql`
    create table if not exists installation (
      only_row boolean primary key default true check (only_row),
      environment text not null check (environment in ('Production', 'Sandbox'))
    )`;
  await sql`insert into installation (environment) values (${environment}) on conflict do nothing`;
}

/**
 * Throws InstallationProblem unless the database is migrated and has this environment, so that a
 * sandbox never works on the data of Production.
 */
export async function requireEnvironment(sql: Queryable, environment: Environment): Promise<void> {
  const own = await readEnvironment(sql, 'installation').catch((error: unknown) => {
    if (!hasSqlstate(error, '42P01')) throw error;
    return null;
  });
  if (own === null)
    throw new InstallationProblem(
      'The database is not migrated to this version. Run `npm run migrate` first.',
    );
  refuseOther(own, environment);
}

function refuseOther(own: string | null, configured: Environment): void {
  if (own === null || own === configured) return;
  const remedy = 'Use the database (DATABASE_URL) or the folder (GATEWAY_HOME) of its own';
  throw otherEnvironment('The database', { own, configured }, remedy);
}

type EnvironmentTable = 'installation' | 'credentials';

/** Production where a database has credentials of both: a sandbox was started on it by mistake. */
const readEnvironment = (sql: Queryable, table: EnvironmentTable): Promise<string | null> =>
  valueOf(sql`select min(environment) from ${sql(table)}`);

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
