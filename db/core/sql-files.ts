import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { openJobStates } from '../../domain/jobs/job.ts';
import { statusesToReprice } from '../../domain/offers/offer-status.ts';
import { finalReturnStatuses } from '../../domain/returns/return-status.ts';
import type { Sql } from './client.ts';
import { isDeadlock, isLockTimeout } from './failure.ts';
import { textList } from './statements/text-list.ts';

export type SqlFile = { readonly name: string; readonly text: string; readonly checksum: string };
export type Log = (line: string) => void;

export const toSqlFile = (name: string, text: string): SqlFile => ({
  name,
  text,
  checksum: createHash('sha256').update(text).digest('hex'),
});

/** Lists of the domain that a function uses by their names, such as `{openJobStates}`. */
const domainLists = { finalReturnStatuses, openJobStates, statusesToReprice };

const withDomainLists = (text: string): string =>
  Object.entries(domainLists).reduce(
    (filled, [name, values]) => filled.replaceAll(`{${name}}`, textList(values)),
    text,
  );

/**
 * The SQL files of one folder beside this one and of its subfolders, in the order of their names.
 * A name has no folder, so a file that moves between subfolders stays the same file.
 */
export async function readSqlFiles(
  folder: 'migrations' | 'functions' | 'roles',
): Promise<readonly SqlFile[]> {
  const directory = new URL(`../${folder}/`, import.meta.url);
  const paths = (await readdir(directory, { recursive: true })).filter((path) =>
    path.endsWith('.sql'),
  );
  const files = await Promise.all(
    paths.map(async (path) =>
      toSqlFile(basename(path), withDomainLists(await readFile(new URL(path, directory), 'utf8'))),
    ),
  );
  return files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The checksums of the applied files by name. */
export async function readApplied(
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

const lockTimeoutMs = 2000;
const lockPauseMs = 500;

/**
 * Applies one file in a transaction. A waiting DDL lock queues every later query on its table, so
 * the transaction gives up after 2 s and tries again, as it does after a deadlock.
 */
export async function applyWithBackOff(
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
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
      log(`waiting for a transaction that locks what ${name} changes`);
      await sleep(lockPauseMs);
    }
  }
}
