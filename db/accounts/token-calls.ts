import type { Queryable } from '../core/client.ts';

/** Calls of one clientId in any 60 seconds (the specification's part 8). */
export const tokenCallsMax = 10;

/** Counts one token call of a client (D12), as {@link countCall} does. */
export const countTokenCall = (sql: Queryable, clientDigest: Uint8Array): Promise<number | null> =>
  countCall(sql, clientDigest, tokenCallsMax);

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
  const [row] = await sql<[{ allowed: boolean; waitSeconds: number }]>`
    insert into token_calls as calls (client_digest, called_at)
    values (${Buffer.from(digest)}, array[clock_timestamp()])
    on conflict (client_digest) do update set called_at = (
      select case when cardinality(recent.instants) < ${max}
        then recent.instants || clock_timestamp()
        -- An epoch at the end marks a refused call for the returning clause.
        else recent.instants || 'epoch'::timestamptz end
      from (
        select coalesce(array_agg(instant order by instant), '{}') as instants
        from unnest(calls.called_at) as instant
        where instant > clock_timestamp() - interval '60 seconds'
      ) as recent
    )
    returning
      called_at[cardinality(called_at)] <> 'epoch' as allowed,
      greatest(1, ceil(extract(epoch from called_at[1] + interval '60 seconds' - clock_timestamp())))::int
        as wait_seconds`;
  return row.allowed ? null : row.waitSeconds;
}

/** Deletes the rows whose window has passed: any text sent as a clientId makes a row. */
export async function pruneTokenCalls(sql: Queryable): Promise<void> {
  await sql`
    delete from token_calls
    where not exists (
      select 1 from unnest(called_at) as instant where instant > clock_timestamp() - interval '60 seconds'
    )`;
}
