import { randomBytes } from 'node:crypto';
import type { Queryable } from '../core/client.ts';
import { operatorColumns, storedOperatorId, type Operator } from './operators.ts';
import { isRefused, recentCalls, secondsToWait, withRefusal } from './token-calls.ts';

/** Failed log-ins for one operator from one network in any 60 seconds. */
export const failedLogInsMax = 10;

/**
 * Only `right` has the operator. `limited`: the secret was not checked, because too many log-ins
 * had failed.
 */
export type LogIn =
  | { readonly kind: 'right'; readonly operator: Operator }
  | { readonly kind: 'wrong'; readonly isKnown: boolean }
  | { readonly kind: 'limited'; readonly waitSeconds: number };

/**
 * Checks an operator's secret and counts a failure, in one statement. The name may be one that
 * looks the same. The lock on the counter's row makes the count exact for concurrent log-ins and
 * processes: above the limit, the response no longer depends on the secret. A success is not
 * counted. An unknown operator costs the same work as a wrong secret.
 */
export async function logInOperator(
  sql: Queryable,
  {
    operatorId,
    secretSha256,
    failuresDigest,
    noDigest,
  }: {
    readonly operatorId: string;
    readonly secretSha256: Uint8Array;
    /** The key of the count: operator and network. */
    readonly failuresDigest: Uint8Array;
    /** Compared for an unknown operator. */
    readonly noDigest: Uint8Array;
  },
): Promise<LogIn> {
  const stored = await storedOperatorId(sql, operatorId);
  // Digests of digests with a random text take the same time to compare, wherever they differ.
  const salt = randomBytes(32);
  const [row] = await sql<
    [Operator & { isRight: boolean; isKnown: boolean; isLimited: boolean; waitSeconds: number }]
  >`
    with judged as materialized (
      select ${operatorColumns.list(sql)}, operators.id is not null as is_known,
        sha256(coalesce(operators.secret_sha256, ${noDigest}::bytea) || ${salt}::bytea)
          = sha256(${secretSha256}::bytea || ${salt}::bytea)
          and coalesce(operators.is_active, false) as is_right
      from (select) as one left join operators on operators.operator_id = ${stored}
    ), counted as (
      insert into token_calls as calls (client_digest, called_at)
      select ${failuresDigest}::bytea,
        case when is_right then '{}'::timestamptz[] else array[clock_timestamp()] end
      from judged
      on conflict (client_digest) do update set called_at = (
        select case
          when cardinality(recent.instants) >= ${failedLogInsMax} then ${withRefusal(sql)}
          when cardinality(excluded.called_at) = 0 then recent.instants
          else recent.instants || clock_timestamp() end
        from ${recentCalls(sql)}
      )
      returning ${isRefused(sql)} as is_limited, ${secondsToWait(sql)} as wait_seconds
    )
    select * from judged, counted`;
  const { isRight, isKnown, isLimited, waitSeconds, ...operator } = row;
  if (isLimited) return { kind: 'limited', waitSeconds };
  if (isRight) return { kind: 'right', operator };
  return { kind: 'wrong', isKnown };
}
