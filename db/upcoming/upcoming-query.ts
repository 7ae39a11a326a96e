import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

/** Which changes of one kind to read: a vendor's or (null) all vendors', nearest first. */
export type UpcomingQuery = {
  readonly vendorId: string | null;
  /** Exclusive, RFC 3339 text; null: no bound. */
  readonly before: string | null;
  readonly limit: number;
};

/**
 * An `and` condition for the bound of a query. `ahead` is how far that is ahead of an instant in
 * real time.
 */
export const isBefore = (
  sql: Queryable,
  instant: Fragment,
  { before }: Pick<UpcomingQuery, 'before'>,
  ahead: Fragment | null = null,
): Fragment =>
  before === null
    ? sql``
    : sql`
        and ${instant} < ${before}::text::timestamptz ${ahead === null ? sql`` : sql`- ${ahead}`}`;
