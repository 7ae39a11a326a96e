import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from './client.ts';
import { isDeadlock } from './failure.ts';
import type { Log, SqlFile } from './sql-files.ts';

/** Whether a migration builds or drops indexes beside writers. It then has no other statement. */
export const buildsIndexes = ({ text }: SqlFile): boolean => /\bindex concurrently\b/.test(text);

const deadlockPauseMs = 500;

/**
 * Builds and drops the indexes of a migration one by one, without a transaction, so that writers
 * continue. It skips an index that exists, and one that a later pending migration drops. It builds
 * anew what an interrupted build has left.
 */
export async function buildIndexes(
  sql: Sql,
  { name, text }: SqlFile,
  later: readonly SqlFile[],
  log: Log,
): Promise<void> {
  const dropped = new Set(
    later.flatMap((file) =>
      [...file.text.matchAll(/\bdrop index (?:concurrently )?(?:if exists )?(\w+)/g)].map(
        ([, index]) => index,
      ),
    ),
  );
  for (const statement of text.replaceAll(/^\s*--.*$/gm, '').split(';')) {
    if (statement.trim() === '') continue;
    const gone = /^\s*drop index concurrently if exists (\w+)\s*$/.exec(statement)?.[1];
    const built = /^\s*create (?:unique )?index concurrently (\w+)\s+on\s/.exec(statement)?.[1];
    if (gone !== undefined) await changeIndex(gone, log, () => sql.unsafe(statement));
    else if (built === undefined)
      throw new Error(`${name} builds indexes concurrently, so it can have no other statement`);
    else if (!dropped.has(built))
      await changeIndex(built, log, () => buildIndex(sql, built, statement));
  }
}

async function buildIndex(sql: Sql, index: string, statement: string): Promise<void> {
  const [found] = await sql<{ isValid: boolean }[]>`
    select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${index})`;
  if (found?.isValid === true) return;
  if (found !== undefined) await sql`drop index concurrently ${sql(index)}`;
  await sql.unsafe(statement);
}

/** A change waits for each older transaction, and one of them may wait for the change. */
async function changeIndex(index: string, log: Log, change: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await change();
      return;
    } catch (error) {
      if (!isDeadlock(error)) throw error;
      log(`changing ${index} again after a deadlock`);
      await sleep(deadlockPauseMs);
    }
  }
}
