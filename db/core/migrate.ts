import { setTimeout as sleep } from 'node:timers/promises';
import { applyFunctions, readPending } from './apply-functions.ts';
import type { Environment } from '../../domain/accounts/credentials.ts';
import { connect, type Sql } from './client.ts';
import { deriveRows } from './derive-rows.ts';
import { buildIndexes, buildsIndexes } from './index-builds.ts';
import { claimDatabase } from './installation.ts';
import { valueOf } from './rows.ts';
import {
  applyWithBackOff,
  readApplied,
  readSqlFiles,
  type Log,
  type SqlFile,
} from './sql-files.ts';

/** A lock number that nothing else in the database uses: the first bytes of "vendor-gateway". */
const lockKey = 0x76656e64;
const lockPauseMs = 100;

/**
 * Brings a database to the newest schema: migrations first, then the rights of the roles, the
 * functions and triggers whose text has changed, and the rows that the functions keep. One process
 * at a time (advisory lock), a transaction for each file. Leaves the database of a newer version as
 * it is. Throws when an applied migration has changed since, or is gone, for the database of another
 * program or of another environment, and for a Postgres that is too old.
 */
export async function migrate(
  databaseUrl: string,
  log: Log,
  environment: Environment = 'Production',
): Promise<void> {
  // Work on a large table takes long, and so may the wait for another migrating process.
  const options = { max: 1, name: 'vendor-gateway migrate', statementTimeoutMs: 0 };
  const sql = connect(databaseUrl, options);
  try {
    requireServer(Number(await valueOf(sql`select current_setting('server_version_num')`)));
    await lockMigration(sql);
    await refuseForeign(sql);
    const applied = await readApplied(sql, 'schema_migrations');
    const migrations = (await readSqlFiles('migrations')).filter(
      ({ name }) => !isFolded(applied, name),
    );
    refuseChanged(applied, migrations);
    await sql.begin((transaction) => claimDatabase(transaction, environment));
    const newer = findNewer(applied, migrations);
    if (newer.length > 0) {
      log(`the database belongs to a newer version (${newer.join(', ')}); nothing is changed`);
      return;
    }
    await applyMigrations(sql, migrations, log);
    const grants = await readSqlFiles('roles');
    const functions = await readSqlFiles('functions');
    const { applied: present, pending } = await readPending(sql, functions);
    // A new function, which may serve working processes at once, finds its rights on new tables.
    if (present.size > 0 && pending.length > 0) await applyGrants(sql, grants);
    await applyFunctions(sql, functions, log);
    await applyGrants(sql, grants);
    await deriveRows(sql, log);
  } finally {
    // Ending the session releases the lock.
    await sql.end({ timeout: 5 });
  }
}

/**
 * Throws for a Postgres without `uuidv7()`. Such a server takes the whole schema, and refuses many
 * calls afterwards. `version` is its `server_version_num`.
 */
export function requireServer(version: number): void {
  const major = Math.floor(version / 10_000);
  if (major < 18) throw new Error(`the server is Postgres ${major}; 18 is the oldest that works`);
}

/**
 * Waits until no other process migrates. It asks again and again: a session that waits for a lock
 * has a snapshot, and the other process may build an index, which waits for the end of each older
 * snapshot.
 */
async function lockMigration(sql: Sql): Promise<void> {
  for (;;) {
    if ((await valueOf(sql`select pg_try_advisory_lock(${lockKey})`)) === true) return;
    await sleep(lockPauseMs);
  }
}

/**
 * Throws for a database that has tables or functions and no history of migrations: it belongs to
 * another program. Functions of extensions do not count.
 */
async function refuseForeign(sql: Sql): Promise<void> {
  const [found] = await sql<[{ isOwn: boolean; tables: string[]; functions: string[] }]>`
    select to_regclass('schema_migrations') is not null as is_own,
      array(
        select relname::text from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm')
          and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
        order by relname limit 3
      ) as tables,
      array(
        select proname::text from pg_proc
        where pronamespace = current_schema()::regnamespace
          and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
        order by proname limit 3
      ) as functions`;
  const named = [
    ...found.tables.map((table) => `the table ${table}`),
    ...found.functions.map((name) => `the function ${name}`),
  ];
  if (found.isOwn || named.length === 0) return;
  throw new Error(
    `this database belongs to another program: it has ${named.join(', ')}, and no table ` +
      'schema_migrations. Nothing was changed. Name an empty database in DATABASE_URL.',
  );
}

/** The last of the earlier migrations that the present texts of the first ones contain. */
const lastFolded = '0024-returned-offers.sql';

/** Whether a database has a migration, or a part of one, under an earlier name or text. */
const isFolded = (applied: ReadonlyMap<string, string>, name: string): boolean =>
  applied.has(lastFolded) && name <= lastFolded;

/** What an operator can do about the database of another version. */
const wayOut =
  'To keep its data, start the version that migrated it last. To begin anew, name an empty ' +
  'database in DATABASE_URL; with npm start, name a new folder in GATEWAY_HOME.';

/** Throws for a database with another text of a migration, such as one of before a rewrite. */
function refuseChanged(applied: ReadonlyMap<string, string>, migrations: readonly SqlFile[]): void {
  for (const { name, checksum } of migrations)
    if (applied.has(name) && applied.get(name) !== checksum)
      throw new Error(
        `migration ${name} was changed after it was applied. The database is of a version whose ` +
          `migrations this one does not continue. Nothing was changed. ${wayOut}`,
      );
}

/**
 * The applied migrations of a newer version. Its functions and rights must stay: they serve the
 * processes of both versions.
 */
function findNewer(
  applied: ReadonlyMap<string, string>,
  migrations: readonly SqlFile[],
): readonly string[] {
  const newest = migrations.at(-1)?.name ?? '';
  return [...applied.keys()].filter((name) => name > newest).toSorted();
}

/** Applies the grants again, since a migration may have added a table, and a file a function. */
async function applyGrants(sql: Sql, files: readonly SqlFile[]): Promise<void> {
  for (const { text } of files) await sql.begin((transaction) => transaction.unsafe(text));
}

/** Applies each migration once. */
export async function applyMigrations(
  sql: Sql,
  migrations: readonly SqlFile[],
  log: Log,
): Promise<void> {
  const applied = await readApplied(sql, 'schema_migrations');
  refuseChanged(applied, migrations);
  for (const name of applied.keys())
    if (!isFolded(applied, name) && !migrations.some((migration) => migration.name === name))
      throw new Error(
        `migration ${name} was applied but its file is gone. The database is of another version, ` +
          `or files of this one are missing. Nothing was changed. ${wayOut}`,
      );
  const pending = migrations.filter(({ name }) => !applied.has(name));
  for (const [index, file] of pending.entries()) {
    const { name, text, checksum } = file;
    const isOfIndexes = buildsIndexes(file);
    if (isOfIndexes) await buildIndexes(sql, file, pending.slice(index + 1), log);
    await applyWithBackOff(sql, name, log, async (transaction) => {
      if (!isOfIndexes) await transaction.unsafe(text);
      await transaction`
        insert into schema_migrations (name, checksum) values (${name}, ${checksum})`;
    });
  }
}
