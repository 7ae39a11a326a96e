import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from './client.ts';
import { isDeadlock } from './failure.ts';
import type { Log, SqlFile } from './sql-files.ts';

/** Whether a migration builds indexes beside writers. It then has no other statement. */
export const buildsIndexes = ({ text }: SqlFile): boolean =>
  /\bcreate (?:unique )?index concurrently\b/.test(text);

const deadlockPauseMs = 500;

/**
 * Builds the indexes of a migration one by one, without a transaction, so that writers continue. It
 * skips an index that exists, and one that a later pending migration drops. It builds anew what an
 * interrupted build has left.
 */
export async function buildIndexes(
  sql: Sql,
  { name, text }: SqlFile,
  later: readonly SqlFile[],
  log: Log,
): Promise<void> {
  const dropped = new Set(
    later.flatMap((file) =>
      [...file.text.matchAll(/\bdrop index (?:if exists )?(\w+)/g)].map(([, index]) => index),
    ),
  );
  for (const statement of text.replaceAll(/^\s*--.*$/gm, '').split(';')) {
    if (statement.trim() === '') continue;
    const index = /^\s*create (?:unique )?index concurrently (\w+)\s+on\s/.exec(statement)?.[1];
    if (index === undefined)
      throw new Error(`${name} builds indexes concurrently, so it can have no other statement`);
    if (!dropped.has(index)) await buildIndex(sql, index, statement, log);
  }
}

async function buildIndex(sql: Sql, index: string, statement: string, log: Log): Promise<void> {
  for (;;) {
    const [found] = await sql<{ isValid: boolean }[]>`
      select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${index})`;
    if (found?.isValid === true) return;
    try {
      if (found !== undefined) await sql`drop index concurrently ${sql(index)}`;
      await sql.unsafe(statement);
      return;
    } catch (error) {
      // The build waits for each older transaction, and one of them may wait for the build.
      if (!isDeadlock(error)) throw error;
      log(`building ${index} again after a deadlock`);
      await sleep(deadlockPauseMs);
    }
  }
}
