import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

/** A column or an expression, as text or as a fragment. */
type SortKey = string | Fragment;

/** The sort keys of a list, the first one first. Nulls come last in `asc` and first in `desc`. */
export type SortOrder = readonly (readonly [key: SortKey, direction: 'asc' | 'desc'])[];

/** The order by keys that all have the direction `asc`. */
export const ascending = (...keys: readonly SortKey[]): SortOrder =>
  keys.map((key) => [key, 'asc']);

/** The order by keys that all have the direction `desc`. */
export const descending = (...keys: readonly SortKey[]): SortOrder =>
  keys.map((key) => [key, 'desc']);

/** The list for `order by`. `isReversed` sorts from the last item to the first. */
export const sortBy = (sql: Queryable, order: SortOrder, { isReversed = false } = {}): Fragment =>
  order
    .map(([key, direction]) => {
      const sorted = typeof key === 'string' ? sql.unsafe(key) : key;
      return (direction === 'asc') === isReversed ? sql`${sorted} desc` : sql`${sorted} asc`;
    })
    .reduce((keys, key) => sql`${keys}, ${key}`);
