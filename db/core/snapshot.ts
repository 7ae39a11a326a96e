import type { Queryable, Sql } from './client.ts';

/** Runs several reads on one snapshot, such as a page and its total, so that they agree. */
export const onSnapshot = <T>(sql: Sql, read: (snapshot: Queryable) => Promise<T>): Promise<T> =>
  sql.begin('isolation level repeatable read read only', read) as Promise<T>;
