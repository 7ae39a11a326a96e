import { expect, vi } from 'vitest';
import type { Fragment } from 'postgres';
import { deferred } from '../../db/support.ts';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import { isLockTimeout } from '../../../db/core/failure.ts';

const patience = { timeout: 20_000, interval: 5 };

/** The number of the database's sessions that wait for a lock. */
export async function countLockWaits(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row.count;
}

/** Waits until exactly `count` sessions of the database wait for a lock. */
export const untilLockWaits = (sql: Sql, count: number): Promise<void> =>
  vi.waitFor(async () => expect(await countLockWaits(sql)).toBe(count), patience);

/** Waits until at least one session of the database waits for a lock. */
export const untilAnyLockWait = (sql: Sql): Promise<void> =>
  vi.waitFor(async () => expect(await countLockWaits(sql)).toBeGreaterThan(0), patience);

const triesMax = 5;

/**
 * Repeats a transaction that waited too long for a lock, as the product's callers do: a pause of
 * this process delays the transaction that holds the lock.
 */
export async function repeatAfterLockTimeouts<T>(work: () => Promise<T>, tries = 1): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries === triesMax || !isLockTimeout(error)) throw error;
    return repeatAfterLockTimeouts(work, tries + 1);
  }
}

/** Runs a statement that locks; the function returned ends the lock, once. */
export const holdLock = (sql: Sql, lock: Fragment): Promise<() => Promise<void>> =>
  held(sql, (transaction) => transaction`${lock}`);

/** Runs `work` in a transaction that stays open until the function returned commits it. */
export async function held(
  sql: Sql,
  work: (transaction: Queryable) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const done = deferred<void>();
  const released = deferred<void>();
  const transaction = sql.begin(async (transaction) => {
    await work(transaction);
    done.resolve();
    await released.promise;
  });
  await Promise.race([done.promise, transaction]);
  return async () => {
    released.resolve();
    await transaction;
  };
}

/** Does `work` in a transaction, and commits it when `call` waits for that. */
export async function meets<T>(
  sql: Sql,
  work: (transaction: Queryable) => Promise<unknown>,
  call: () => Promise<T>,
): Promise<T> {
  const release = await held(sql, work);
  const calling = call();
  await untilAnyLockWait(sql);
  await release();
  return calling;
}
