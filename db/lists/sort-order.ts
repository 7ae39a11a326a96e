import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

/** The sort keys of a list, the first one first. Nulls come last in `asc` and first in `desc`. */
export type SortOrder = readonly (readonly [key: Fragment, direction: 'asc' | 'desc'])[];

/** The list for `order by`. `isReversed` sorts from the last item to the first. */
export const sortBy = (sql: Queryable, order: SortOrder, { isReversed = false } = {}): Fragment =>
  order
    .map(([key, direction]) =>
      (direction === 'asc') === isReversed ? sql`${key} desc` : sql`${key} asc`,
    )
    .reduce((keys, key) => sql`${keys}, ${key}`);
