import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

/** A column or an expression, as text or as a fragment. */
type SortKey = string | Fragment;

/** The sort keys of a list, the first one first. Nulls come last in `asc` and first in `desc`. */
export type SortOrder = readonly (readonly [key: SortKey, direction: 'asc' | 'desc'])[];

export const ascending = (...keys: readonly SortKey[]): SortOrder =>
  keys.map((key) => [key, 'asc']);
export const descending = (...keys: readonly SortKey[]): SortOrder =>
  keys.map((key) => [key, 'desc']);

/** The list for `order by`. `isReversed` sorts from the last item to the first. */
export const sortBy = (sql: Queryable, order: SortOrder, { isReversed = false } = {}): Fragment =>
  order
    .map(([key, direction]) => {
      const direct = sql.unsafe((direction === 'asc') === isReversed ? 'desc' : 'asc');
      return sql`${typeof key === 'string' ? sql.unsafe(key) : key} ${direct}`;
    })
    .reduce((keys, key) => sql`${keys}, ${key}`);
