import type { TransactionSql } from 'postgres';
import type { Queryable, Sql } from './client.ts';
import { isDeadlock, isOfAbortedTransaction } from './failure.ts';

const attemptsMax = 5;

/**
 * Lets Postgres plan the statements of a transaction by keys only. For tables that are mostly
 * empty: a plan from the statistics of then would read them whole, once for each row that it takes.
 */
export const planByKeys = async (sql: Queryable): Promise<void> => {
  await sql`set local enable_seqscan = off`;
};

/**
 * As {@link planByKeys}, also for statements that join tables. For a small part of a large table,
 * Postgres prefers to read all of the tables that it compares, so that each such statement would
 * cost more as they grow.
 */
export const joinByKeys = async (sql: Queryable): Promise<void> => {
  await sql`
    select set_config(name, 'off', true)
    from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) as name`;
};

/**
 * Reads in a transaction whose statements Postgres plans for their values: where a value may match
 * most rows or none, a plan for any values may read all of them. A statement's plan takes up to a
 * millisecond.
 */
export const plannedForValues = <T>(
  sql: Sql,
  read: (transaction: Queryable) => Promise<T>,
): Promise<T> =>
  sql.begin('read only', async (transaction) => {
    await transaction`set local plan_cache_mode = force_custom_plan`;
    return read(transaction);
  }) as Promise<T>;

/** Runs several reads on one snapshot, such as a page and its total, so that they agree. */
export const onSnapshot = <T>(sql: Sql, read: (snapshot: Queryable) => Promise<T>): Promise<T> =>
  sql.begin('isolation level repeatable read read only', read) as Promise<T>;

/** A transaction that a command runs in: each transaction of the command becomes a savepoint. */
const asSql = (transaction: TransactionSql): Sql =>
  Object.assign(transaction, {
    begin: transaction.savepoint.bind(transaction),
    isInTransaction: true as const,
  });

/** Runs a command, and what its caller stores with it, in one transaction. */
export const inTransaction = <T>(sql: Sql, run: (sql: Sql) => Promise<T>): Promise<T> =>
  sql.begin((transaction) => run(asSql(transaction))) as Promise<T>;

/**
 * Runs a command in a transaction that is rolled back, and returns its result: nothing is stored or
 * notified, and its locks end with the call. A deadlock ends the transaction, so the whole command
 * is repeated.
 */
export async function onRollback<T>(sql: Sql, run: (sql: Sql) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const done: { result?: T } = {};
    const rollBack = new Error('rolled back');
    try {
      await inTransaction(sql, async (transaction) => {
        done.result = await run(transaction);
        throw rollBack;
      });
    } catch (error) {
      if (error === rollBack) return done.result as T;
      const isRepeated = isDeadlock(error) || isOfAbortedTransaction(error);
      if (!isRepeated || attempt === attemptsMax) throw error;
    }
  }
}

/**
 * A pool whose transactions are all rolled back, for a command that uses nothing else of a pool: a
 * statement outside of them throws, so that it cannot store.
 */
export const rollingBack = (sql: Sql): Sql =>
  ({ begin: (run: (sql: Sql) => Promise<unknown>) => onRollback(sql, run) }) as unknown as Sql;
