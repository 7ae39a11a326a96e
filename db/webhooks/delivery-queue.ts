import type { Fragment } from 'postgres';
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
export type ClaimedDelivery = AttemptToSend & Claim;

/** How many further attempts of a subscription can begin now. */
export type FreeSlots = { readonly subscriptionId: string; readonly slots: number };

export type Walk = {
  /** The subscription where the next claim continues. */
  readonly walkedTo: string;
  /** Whether more may be claimed at once. */
  readonly hasMore: boolean;
  /** Whether deliveries may wait for a slot of their receiver. */
  readonly isHeld: boolean;
  readonly deliveries: readonly ClaimedDelivery[];
};

/**
 * Claims up to `max` due deliveries, of each subscription up to `ofEach` or as many as `busy` says.
 * The walk over the subscriptions begins after `walkedTo`. Another process claims them again after
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
  },
): Promise<Walk> {
  const { walkedTo, max, ofEach, busy, leaseMs } = claim;
  type Row = Omit<ClaimedDelivery, 'now'> & Omit<Walk, 'deliveries'>;
  const [walk, ...rows] = await sql<[Row, ...Row[]]>`
    select * from claim_deliveries(${walkedTo}, ${max}, ${ofEach},
      ${busy.map(({ subscriptionId }) => subscriptionId)}::uuid[],
      ${busy.map(({ slots }) => slots)}::integer[], ${leaseMs}, ${workerLost})`;
  return {
    walkedTo: walk.walkedTo,
    hasMore: walk.hasMore,
    isHeld: walk.isHeld,
    deliveries: rows.map((row) => ({ ...row, now: clockFrom(row.claimedAt) })),
  };
}

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

/** Writes the rows of attempts that wait for an answer, so that lists show them. */
export async function showAttempts(sql: Queryable, claims: readonly Claim[]): Promise<void> {
  await sql`select show_attempts(${claimsOf(sql, claims)})`;
}

/** Moves what processes of an earlier version left to the queue. */
export async function adoptDeliveries(
  sql: Queryable,
  batchId: string | null = null,
): Promise<void> {
  await sql`select adopt_deliveries(${1000}, ${batchId})`;
}

/** Whether a row of `webhook_deliveries` is in the queue; one reading of the queue for all rows. */
export const inQueue = (sql: Queryable, id: string): Fragment =>
  sql`${sql.unsafe(id)} in (select delivery_id from delivery_queue)`;
