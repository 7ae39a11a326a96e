import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import { deleteOld } from '../core/delete-old.ts';

/** Calls of one clientId in any 60 seconds (the specification's part 8). */
export const tokenCallsMax = 10;

/** The calls of the last 60 seconds of the row `calls` that a statement updates, oldest first. */
export const recentCalls = (sql: Queryable): Fragment => sql`(
  select coalesce(array_agg(instant order by instant), '{}') as instants
  from unnest(calls.called_at) as instant
  where instant > clock_timestamp() - interval '60 seconds'
) as recent`;

/** The recent calls with an epoch at their end, which marks a refused call for `returning`. */
export const withRefusal = (sql: Queryable): Fragment =>
  sql`recent.instants || 'epoch'::timestamptz`;
export const isRefused = (sql: Queryable): Fragment =>
  sql`coalesce(called_at[cardinality(called_at)] = 'epoch', false)`;
/** The whole seconds until the oldest call leaves the window, at least 1. */
export const secondsToWait = (sql: Queryable): Fragment => sql`
  greatest(1, ceil(extract(epoch from
    called_at[1] + interval '60 seconds' - clock_timestamp())))::int`;

/**
 * Counts one call of at most `max` in any 60 seconds for the digest. Returns null when the call is
 * allowed, else the seconds to wait, at least 1. The row lock makes the count exact across
 * processes. A refused call is not counted, so it does not extend the window. In a transaction, a
 * rollback takes the count back.
 */
export async function countCall(
  sql: Queryable,
  digest: Uint8Array,
  max: number,
): Promise<number | null> {
  const [row] = await sql<[{ isRefused: boolean; waitSeconds: number }]>`
    insert into token_calls as calls (client_digest, called_at)
    values (${digest}, array[clock_timestamp()])
    on conflict (client_digest) do update set called_at = (
      select case when cardinality(recent.instants) < ${max}
        then recent.instants || clock_timestamp() else ${withRefusal(sql)} end
      from ${recentCalls(sql)}
    )
    returning ${isRefused(sql)} as is_refused, ${secondsToWait(sql)} as wait_seconds`;
  return row.isRefused ? row.waitSeconds : null;
}

/**
 * Deletes the rows whose window has passed: any text sent as a clientId makes a row. A row keeps
 * calls of 60 seconds, so the last one was at most 60 seconds after the first one.
 */
export const pruneTokenCalls = (sql: Queryable): Promise<void> =>
  deleteOld(sql, { table: 'token_calls', instant: '(called_at[1])', age: '2 minutes' });
