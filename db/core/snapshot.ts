import type { Queryable, Sql } from './client.ts';

/** Runs reads that must agree with each other, a page and its total for one, on one snapshot of the record. */
export const onSnapshot = <T>(sql: Sql, read: (snapshot: Queryable) => Promise<T>): Promise<T> =>
  sql.begin('isolation level repeatable read read only', read) as Promise<T>;
