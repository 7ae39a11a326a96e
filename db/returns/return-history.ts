import type { Queryable } from '../core/client.ts';
import { readStatusHistory, type StatusChange } from '../lists/status-history.ts';

/** The status changes of each return by its id, oldest first. */
export type ReturnHistory = ReadonlyMap<string, readonly StatusChange[]>;

export const listReturnChanges = (sql: Queryable, ids: readonly string[]): Promise<ReturnHistory> =>
  readStatusHistory(sql, 'return', ids);
