import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { connect, type Sql } from './client.ts';
import { isLockTimeout } from './failure.ts';

/** Any number that nothing else in the database locks: the first bytes of "vendor-gateway". */
const lockKey = 0x76656e64;

export type SqlFile = { readonly name: string; readonly text: string; readonly checksum: string };
type Log = (line: string) => void;

export const toSqlFile = (name: string, text: string): SqlFile => ({
  name,
  text,
  checksum: createHash('sha256').update(text).digest('hex'),
});

/** The SQL files of one folder beside this one, in the order of their names. */
export async function readSqlFiles(
  folder: 'migrations' | 'functions',
): Promise<readonly SqlFile[]> {
  const directory = new URL(`../${folder}/`, import.meta.url);
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => toSqlFile(name, await readFile(new URL(name, directory), 'utf8'))),
  );
}

/**
 * Brings a database to the newest schema: migrations first, then the functions and triggers whose
 * text has changed. One process at a time (advisory lock), a transaction for each file. Throws when
 * an applied migration has changed since, or is no longer there.
 */
export async function migrate(databaseUrl: string, log: Log): Promise<void> {
  const sql = connect(databaseUrl, { max: 1, name: 'vendor-gateway migrate' });
  try {
    // Work on a large table takes long, and so may the wait for another migrating process.
    await sql`set statement_timeout = 0`;
    await sql`select pg_advisory_lock(${lockKey})`;
    await applyMigrations(sql, await readSqlFiles('migrations'), log);
    await applyFunctions(sql, await readSqlFiles('functions'), log);
  } finally {
    // Ending the session releases the lock.
    await sql.end({ timeout: 5 });
  }
}

/** Applies each migration once. */
export async function applyMigrations(
  sql: Sql,
  migrations: readonly SqlFile[],
  log: Log,
): Promise<void> {
  const applied = await readApplied(sql, 'schema_migrations');
  for (const [name, checksum] of applied) {
    const file = migrations.find((migration) => migration.name === name);
    if (file === undefined) throw new Error(`migration ${name} was applied but its file is gone`);
    if (file.checksum !== checksum)
      throw new Error(`migration ${name} was changed after it was applied; add a new one instead`);
  }
  for (const { name, text, checksum } of migrations.filter(({ name }) => !applied.has(name))) {
    await applyWithBackOff(sql, name, log, async (transaction) => {
      await transaction.unsafe(text);
      await transaction`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`;
    });
  }
}

/**
 * Applies each file whose text differs from the applied one. A file holds one function, which has
 * the file's name, and its triggers. A function whose file is gone stays, and each run logs it,
 * because processes of an earlier version may still call it: a later migration drops it. Likewise,
 * a migration drops a trigger that a file no longer creates.
 */
export async function applyFunctions(
  sql: Sql,
  functions: readonly SqlFile[],
  log: Log,
): Promise<void> {
  const applied = await readApplied(sql, 'schema_functions');
  for (const file of functions.filter(({ name, checksum }) => applied.get(name) !== checksum)) {
    await applyWithBackOff(sql, file.name, log, async (transaction) => {
      await replaceFunction(transaction, file);
      await transaction`
        insert into schema_functions (name, checksum) values (${file.name}, ${file.checksum})
        on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`;
    });
  }
  for (const name of applied.keys()) {
    if (functions.some((file) => file.name === name)) continue;
    if ((await signaturesOf(sql, name)).length > 0)
      log(`kept the function of ${name}, whose file is gone; drop it in a migration`);
    else await sql`delete from schema_functions where name = ${name}`;
  }
}

/** The checksums of the applied files by name. */
async function readApplied(
  sql: Sql,
  table: 'schema_migrations' | 'schema_functions',
): Promise<ReadonlyMap<string, string>> {
  await sql`
    create table if not exists ${sql(table)} (
      name text primary key, checksum text not null, applied_at timestamptz not null default now()
    )`;
  const rows = await sql<{ name: string; checksum: string }[]>`
    select name, checksum from ${sql(table)}`;
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

const signaturesOf = (sql: postgres.ISql, fileName: string) => sql<{ signature: string }[]>`
  select oid::regprocedure::text as signature from pg_proc
  where pronamespace = current_schema()::regnamespace and proname = ${fileName.replace('.sql', '')}`;

/**
 * `create or replace` cannot change a result type or a parameter's name, and another list of
 * parameters leaves the old function beside the new one. In these cases the old function is dropped
 * and the file is applied again. A trigger function has no parameters, so no trigger is lost.
 */
async function replaceFunction(
  transaction: postgres.TransactionSql,
  { name, text }: SqlFile,
): Promise<void> {
  const isReplaced = await transaction
    .savepoint((savepoint) => savepoint.unsafe(text))
    .then(
      () => true,
      (error: unknown) => {
        if (isSignatureChange(error)) return false;
        throw error;
      },
    );
  const signatures = await signaturesOf(transaction, name);
  if (isReplaced && signatures.length === 1) return;
  for (const { signature } of signatures) await transaction.unsafe(`drop function ${signature}`);
  await transaction.unsafe(text);
  if ((await signaturesOf(transaction, name)).length !== 1)
    throw new Error(`${name} must define one function, which has the name of the file`);
}

/** SQLSTATE 42P13, invalid_function_definition. */
const isSignatureChange = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '42P13';

const lockTimeoutMs = 2000;
const lockPauseMs = 500;

/**
 * Applies one file in a transaction. A waiting DDL lock queues every later query on its table, so
 * the transaction gives up after 2 s and tries again.
 */
async function applyWithBackOff(
  sql: Sql,
  name: string,
  log: Log,
  apply: (transaction: postgres.TransactionSql) => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      await sql.begin(async (transaction) => {
        await transaction`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`;
        await apply(transaction);
      });
      log(`applied ${name}`);
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      log(`waiting for a transaction that locks what ${name} changes`);
      await sleep(lockPauseMs);
    }
  }
}
