import type { Queryable, Sql } from './client.ts';

/** Runs reads that must agree, such as a page and its total, on one snapshot. */
export const onSnapshot = <T>(sql: Sql, read: (snapshot: Queryable) => Promise<T>): Promise<T> =>
  sql.begin('isolation level repeatable read read only', read) as Promise<T>;
