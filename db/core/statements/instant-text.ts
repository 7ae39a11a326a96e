import type { Fragment } from 'postgres';
import type { Queryable } from '../client.ts';

/** An instant as RFC 3339 text with its microseconds, which a JavaScript date loses. */
export const instantText = (sql: Queryable, instant: Fragment) =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** As {@link instantText}, for an expression without parameters. */
export const instantTextOf = (instant: string): string =>
  `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
