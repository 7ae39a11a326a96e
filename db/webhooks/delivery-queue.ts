import type { Fragment } from 'postgres';
import type { EventType } from '../../domain/webhooks/events.ts';
import { clockFrom } from '../core/clock.ts';
import type { Queryable } from '../core/client.ts';
import { toDatabaseNames } from '../core/columns.ts';
import { workerLost, type AttemptToSend } from './attempts/begin-attempts.ts';

/** The row of a claimed delivery, and the number of its claim. */
export type Claim = {
  readonly subscriptionId: string;
  readonly deliveryId: string;
  /** As text, because a `Date` has no microseconds. */
  readonly queuedAt: string;
  readonly fence: number;
  readonly claimedAt: Date;
};

/** A delivery whose first attempt of a schedule this process makes. */
export type ClaimedDelivery = AttemptToSend &
  Claim & { readonly eventType: EventType; readonly vendorName: string };

/** How many further attempts of a subscription can begin now. */
export type FreeSlots = { readonly subscriptionId: string; readonly slots: number };

/** Subscriptions that may have due deliveries from an instant on, as text with microseconds. */
export type Remaining = ReadonlyMap<string, string>;

export type Walk = {
  /** The subscription where the next claim continues; the least id after the last one. */
  readonly walkedTo: string;
  /** Whether more may be claimed at once. */
  readonly hasMore: boolean;
  readonly claimedAt: Date;
  /** What the claim left of the subscriptions that it has seen. */
  readonly remaining: Remaining;
  readonly deliveries: readonly ClaimedDelivery[];
};

/**
 * Claims up to `max` due deliveries, of each subscription up to `ofEach` or as many as `busy` says.
 * The walk over the subscriptions begins after `walkedTo`. It reads no delivery that is due before
 * `since`, except of the subscriptions of `remaining`. Another process claims them again after
 * `leaseMs`, unless {@link extendLeases} has prolonged the lease.
 */
export async function claimDeliveries(
  sql: Queryable,
  claim: {
    readonly walkedTo: string;
    readonly max: number;
    readonly ofEach: number;
    readonly busy: readonly FreeSlots[];
    readonly leaseMs: number;
    readonly since?: string;
    readonly remaining?: Remaining;
  },
): Promise<Walk> {
  const { walkedTo, max, ofEach, busy, leaseMs, since = '-infinity' } = claim;
  const { remaining = new Map<string, string>() } = claim;
  type Row = Omit<ClaimedDelivery, 'now'> &
    Omit<Walk, 'deliveries' | 'remaining'> & {
      readonly remainingIds: readonly string[];
      readonly remainingSince: readonly string[];
    };
  const [walk, ...rows] = await sql<[Row, ...Row[]]>`
    select * from claim_deliveries(${walkedTo}, ${max}, ${ofEach},
      ${busy.map(({ subscriptionId }) => subscriptionId)}::uuid[],
      ${busy.map(({ slots }) => slots)}::integer[], ${leaseMs}, ${workerLost},
      ${since}::text::timestamptz, ${[...remaining.keys()]}::uuid[],
      ${[...remaining.values()]}::text[]::timestamptz[])`;
  return {
    walkedTo: walk.walkedTo,
    hasMore: walk.hasMore,
    claimedAt: walk.claimedAt,
    remaining: new Map(walk.remainingIds.map((id, at) => [id, walk.remainingSince[at] ?? since])),
    deliveries: rows.map((row) => ({ ...row, now: clockFrom(row.claimedAt) })),
  };
}

/** What is due for so long should have been claimed at its notification. */
const missedMs = 500;

/** A subscription with missed deliveries from an instant on. */
type Missed = { readonly subscriptionId: string; readonly since: string; readonly isLate: boolean };

/**
 * Looks through the whole queue for deliveries that claims have missed: the subscriptions that have
 * any, and from which instant on. `isLate` are those before `since`.
 */
export const findMissed = (sql: Queryable, since: string): Promise<readonly Missed[]> => sql`
  select subscription_id, min(due_at)::text as since,
    min(due_at) < ${since}::text::timestamptz as is_late
  from delivery_queue
  where due_at <= now() - ${missedMs} * interval '1 millisecond'
    and (leased_until is null or leased_until <= now())
  group by subscription_id order by min(due_at) limit 1000`;

const claimsOf = (sql: Queryable, claims: readonly Claim[]) =>
  sql.json(
    claims.map(({ subscriptionId, queuedAt, deliveryId, fence, claimedAt }) =>
      toDatabaseNames({ subscriptionId, queuedAt, deliveryId, fence, claimedAt }),
    ),
  );

/** Prolongs leases to `leaseMs` from now. */
export async function extendLeases(
  sql: Queryable,
  claims: readonly Claim[],
  leaseMs: number,
): Promise<void> {
  await sql`select change_claims(${claimsOf(sql, claims)}, ${leaseMs}, 0)`;
}

/** Gives claimed deliveries back that were not sent: they are due again after `delayMs`. */
export async function releaseClaims(
  sql: Queryable,
  claims: readonly Claim[],
  delayMs: number,
): Promise<void> {
  await sql`select change_claims(${claimsOf(sql, claims)}, null, ${delayMs})`;
}

/** Writes the rows of attempts that wait for a response, so that lists show them. */
export async function showAttempts(sql: Queryable, claims: readonly Claim[]): Promise<void> {
  await sql`select show_attempts(${claimsOf(sql, claims)})`;
}

/**
 * The ids of the deliveries that wait: of those that have a run, and of those in the queue.
 * `condition` is on their rows, and `ofSubscription`, if it is known, on the column that rows of
 * the queue have too. The planner has no statistics of the queue, so a join with it might read all
 * deliveries. Both parts have the order of the list, which merges them: it sorts the ids of the
 * queue, and reads only the rows of the deliveries that a page needs.
 */
export const waitingDeliveries = (
  sql: Queryable,
  condition: Fragment,
  ofSubscription = sql``,
): Fragment => sql`(
  (
    select id from webhook_deliveries where listed_state = 'waiting' ${ofSubscription} ${condition}
    order by id desc
  )
  union all
  (
    select queue.delivery_id from (
      select delivery_id from delivery_queue where true ${ofSubscription} order by delivery_id desc
    ) as queue
    where exists (
      select from webhook_deliveries
      where id = queue.delivery_id and state = 'waiting' and listed_state is null ${condition}
      offset 0
    )
    order by queue.delivery_id desc
  )
) as waiting`;
