import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Sql } from './client.ts';
import { isLockTimeout } from './failure.ts';

const directory = new URL('../migrations/', import.meta.url);
/** Any number that nothing else in the database locks: the first bytes of "vendor-gateway". */
const lockKey = 0x76656e64;

type Migration = { readonly name: string; readonly text: string; readonly checksum: string };

/** The migrations beside this file, in the order of their names. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Brings a database to the newest schema: each migration in its own transaction, one migrating process at a time
 * (advisory lock). Throws when a migration that was applied has changed since, or is no longer there.
 */
export async function migrate(databaseUrl: string, log: (line: string) => void): Promise<void> {
  const sql = connect(databaseUrl, { max: 1, name: 'vendor-gateway migrate' });
  try {
    // A large table takes its time, and so does waiting for another process that migrates it.
    await sql`set statement_timeout = 0`;
    await sql`select pg_advisory_lock(${lockKey})`;
    await applyMissing(sql, await readMigrations(), log);
  } finally {
    // Ending the session releases the lock.
    await sql.end({ timeout: 5 });
  }
}

/** The same with migrations that are given. */
export async function applyMissing(
  sql: Sql,
  migrations: readonly Migration[],
  log: (line: string) => void,
): Promise<void> {
  await sql`
    create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now()
    )`;
  const applied = await sql<
    { name: string; checksum: string }[]
  >`select name, checksum from schema_migrations`;
  for (const row of applied) {
    const file = migrations.find(({ name }) => name === row.name);
    if (file === undefined)
      throw new Error(`migration ${row.name} was applied but its file is gone`);
    if (file.checksum !== row.checksum) {
      throw new Error(
        `migration ${row.name} was changed after it was applied; add a new one instead`,
      );
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  for (const migration of migrations.filter(({ name }) => !done.has(name))) {
    while (!(await wasApplied(sql, migration))) {
      log(`waiting for whoever holds what ${migration.name} changes`);
      await sleep(lockPauseMs);
    }
    log(`applied ${migration.name}`);
  }
}

const lockTimeoutMs = 2000;
const lockPauseMs = 500;

/**
 * Whoever comes for a table that a migration waits for waits behind the migration, be it for a backup's long transaction: so it
 * lets them pass after a while, and tries again. False when it has to.
 */
async function wasApplied(sql: Sql, { name, text, checksum }: Migration): Promise<boolean> {
  try {
    await sql.begin(async (transaction) => {
      await transaction`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`;
      await transaction.unsafe(text);
      await transaction`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`;
    });
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}
