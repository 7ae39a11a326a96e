import { applyFunctions } from './apply-functions.ts';
import { connect, type Sql } from './client.ts';
import {
  applyWithBackOff,
  readApplied,
  readSqlFiles,
  type Log,
  type SqlFile,
} from './sql-files.ts';

/** A lock number that nothing else in the database uses: the first bytes of "vendor-gateway". */
const lockKey = 0x76656e64;

/**
 * Brings a database to the newest schema: migrations first, then the functions and triggers whose
 * text has changed, then the rights of the roles. One process at a time (advisory lock), a
 * transaction for each file. Leaves the database of a newer version as it is. Throws when an
 * applied migration has changed since, or is gone, and for the database of another program.
 */
export async function migrate(databaseUrl: string, log: Log): Promise<void> {
  const sql = connect(databaseUrl, { max: 1, name: 'vendor-gateway migrate' });
  try {
    // Work on a large table takes long, and so may the wait for another migrating process.
    await sql`set statement_timeout = 0`;
    await sql`select pg_advisory_lock(${lockKey})`;
    await refuseForeign(sql);
    const migrations = await readSqlFiles('migrations');
    const applied = await readApplied(sql, 'schema_migrations');
    refuseChanged(applied, migrations);
    const newer = findNewer(applied, migrations);
    if (newer.length > 0) {
      log(`the database is that of a newer version (${newer.join(', ')}); nothing is changed`);
      return;
    }
    await applyMigrations(sql, migrations, log);
    await applyFunctions(sql, await readSqlFiles('functions'), log);
    await applyGrants(sql, await readSqlFiles('roles'));
  } finally {
    // Ending the session releases the lock.
    await sql.end({ timeout: 5 });
  }
}

/**
 * Throws for a database that has tables or functions and no history of migrations: it is that of
 * another program. Functions of extensions do not count (D149).
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

/** Throws for a database with another text of a migration, such as one of before a rewrite. */
function refuseChanged(applied: ReadonlyMap<string, string>, migrations: readonly SqlFile[]): void {
  for (const { name, checksum } of migrations)
    if (applied.has(name) && applied.get(name) !== checksum)
      throw new Error(`migration ${name} was changed after it was applied; add a new one instead`);
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

/** Applies the grants again, since a migration may have added a table. */
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
    if (!migrations.some((migration) => migration.name === name))
      throw new Error(`migration ${name} was applied but its file is gone`);
  for (const { name, text, checksum } of migrations.filter(({ name }) => !applied.has(name))) {
    await applyWithBackOff(sql, name, log, async (transaction) => {
      await transaction.unsafe(text);
      await transaction`
        insert into schema_migrations (name, checksum) values (${name}, ${checksum})`;
    });
  }
}
