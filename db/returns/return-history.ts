import type { Queryable } from '../core/client.ts';
import { readStatusHistory, type StatusHistory } from '../lists/status-history.ts';

/**
 * The status changes of each return by its id: all of them, because the state machine has no way
 * back and a return has few.
 */
export type ReturnHistory = ReadonlyMap<string, StatusHistory>;

export const listReturnChanges = (sql: Queryable, ids: readonly string[]): Promise<ReturnHistory> =>
  readStatusHistory(sql, 'return', ids);
