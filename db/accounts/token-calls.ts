import type { Queryable } from '../core/client.ts';

/** Calls of one clientId in any 60 seconds (the specification's part 8). */
export const tokenCallsMax = 10;

/**
 * Counts one token call of a client (D12). Returns null when the call is allowed, else the seconds
 * to wait, at least 1. The row lock makes the count exact across processes. A refused call is not
 * counted, so it does not extend the window.
 */
export async function countTokenCall(
  sql: Queryable,
  clientDigest: Uint8Array,
): Promise<number | null> {
  const [row] = await sql<[{ allowed: boolean; waitSeconds: number }]>`
    insert into token_calls as calls (client_digest, called_at)
    values (${Buffer.from(clientDigest)}, array[clock_timestamp()])
    on conflict (client_digest) do update set called_at = (
      select case when cardinality(recent.instants) < ${tokenCallsMax}
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

/** As {@link countTokenCall}, without counting a call. */
export async function tokenCallWait(
  sql: Queryable,
  clientDigest: Uint8Array,
): Promise<number | null> {
  const [row] = await sql<{ waitSeconds: number }[]>`
    select greatest(1, ceil(extract(epoch from min(instant) + interval '60 seconds' - clock_timestamp())))::int
      as wait_seconds
    from token_calls, unnest(called_at) as instant
    where client_digest = ${Buffer.from(clientDigest)} and instant > clock_timestamp() - interval '60 seconds'
    having count(*) >= ${tokenCallsMax}`;
  return row?.waitSeconds ?? null;
}

/** Deletes the rows whose window has passed: any text sent as a clientId makes a row. */
export async function pruneTokenCalls(sql: Queryable): Promise<void> {
  await sql`
    delete from token_calls
    where not exists (
      select 1 from unnest(called_at) as instant where instant > clock_timestamp() - interval '60 seconds'
    )`;
}
