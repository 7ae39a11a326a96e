import type { Environment } from '../../domain/accounts/credentials.ts';
import { InstallationProblem, otherEnvironment } from '../../domain/installation.ts';
import type { Queryable } from './client.ts';
import { hasSqlstate } from './failure.ts';

/**
 * Stores the environment of a database at its first migration. A database of an earlier version has
 * the environment of its credentials. Throws InstallationProblem for the database of another
 * environment.
 */
export async function claimDatabase(sql: Queryable, environment: Environment): Promise<void> {
  const [{ isClaimed }] = await sql<[{ isClaimed: boolean }]>`
    select to_regclass('installation') is not null as is_claimed`;
  const own = isClaimed ? await readEnvironment(sql) : await environmentOfCredentials(sql);
  refuseOther(own, environment);
  if (own !== null && isClaimed) return;
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
  const own = await readEnvironment(sql).catch((error: unknown) => {
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

async function readEnvironment(sql: Queryable): Promise<string | null> {
  const [row] = await sql<{ environment: string }[]>`select environment from installation`;
  return row?.environment ?? null;
}

/** Production where a database has credentials of both: a sandbox was started on it by mistake. */
async function environmentOfCredentials(sql: Queryable): Promise<string | null> {
  const [{ hasCredentials }] = await sql<[{ hasCredentials: boolean }]>`
    select to_regclass('credentials') is not null as has_credentials`;
  if (!hasCredentials) return null;
  const [row] = await sql<[{ environment: string | null }]>`
    select min(environment) as environment from credentials`;
  return row.environment;
}
