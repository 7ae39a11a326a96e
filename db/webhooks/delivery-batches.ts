import type { Fragment } from 'postgres';
import { clockFrom } from '../core/clock.ts';
import type { Queryable } from '../core/client.ts';
import type { BegunAttempt, BegunRow } from './attempts/begin-attempts.ts';

/** A claimed delivery that waits for the first attempt of its schedule. */
export type ClaimedDelivery = BatchedDelivery & {
  /** The attempt if it has begun. */
  readonly begun: BegunAttempt | null;
};

export type Claim = {
  /** The batch of the members: the given one, or another if the run of that one has started. */
  readonly batchId: string;
  /** The number of claimed messages. */
  readonly messages: number;
  /** The deliveries that wait for an attempt. */
  readonly deliveries: readonly ClaimedDelivery[];
};

/**
 * Claims deliveries that wait for the first attempt of their schedule, and begins the attempts of
 * up to `begunMax` of them. They become members of the batch, whose run starts after `leaseMs`
 * unless the claimer extends the lease or releases the batch before.
 */
export async function claimFirstAttempts(
  sql: Queryable,
  claim: {
    readonly batchId: string;
    readonly claimedMax: number;
    readonly begunMax: number;
    readonly leaseMs: number;
  },
): Promise<Claim> {
  const { batchId, claimedMax, begunMax, leaseMs } = claim;
  type Row = Omit<BegunRow, 'id' | 'subscriptionId'> & {
    readonly batchId: string;
    readonly id: string | null;
    readonly subscriptionId: string | null;
  };
  const rows = await sql<Row[]>`
    select *, clock_timestamp() as begun_at
    from claim_first_attempts(${batchId}, ${claimedMax}, ${begunMax}, ${leaseMs})`;
  const deliveries = rows.flatMap(
    ({ batchId: _batchId, id, subscriptionId, begunAt, ...row }): ClaimedDelivery[] => {
      if (subscriptionId === null) return [];
      const { deliveryId, vendorId, url } = row;
      const begun = id === null ? null : { ...row, id, subscriptionId, now: clockFrom(begunAt) };
      return [{ deliveryId, subscriptionId, vendorId, url, begun }];
    },
  );
  return { batchId: rows[0]?.batchId ?? batchId, messages: rows.length, deliveries };
}

/** Keeps the runs of batches from starting for another `leaseMs`. */
export async function extendLeases(
  sql: Queryable,
  batchIds: readonly string[],
  leaseMs: number,
): Promise<void> {
  await sql`
    update outbox set due_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    where kind = 'webhookDeliveryBatch' and subject_id = any(${[...batchIds]}::uuid[])`;
}

/**
 * Lets the run of a batch start. A batch that all members have left for runs of their own needs no
 * run. Its row stays, because operators list the members of a batch.
 */
export async function releaseDeliveryBatch(sql: Queryable, batchId: string): Promise<void> {
  await sql`
    with batch as materialized (
      select batch.id, count(delivery.id)::int as size
      from webhook_delivery_batches as batch
      cross join unnest(batch.delivery_ids) as member (id)
      left join webhook_deliveries as delivery
        on delivery.id = member.id and delivery.batch_id = batch.id
      where batch.id = ${batchId} group by batch.id
    ), released as (
      update outbox set due_at = now(), payload = jsonb_build_object('size', size)
      from batch where kind = 'webhookDeliveryBatch' and subject_id = batch.id and size > 0
    )
    delete from outbox using batch
    where kind = 'webhookDeliveryBatch' and subject_id = batch.id and size = 0`;
}

/** A batch's deliveries by outcome; `moved` ones have runs of their own, `left` ones wait. */
export type BatchState = {
  readonly succeeded: number;
  readonly moved: number;
  readonly ended: number;
  readonly left: number;
};

export async function readBatchState(sql: Queryable, batchId: string): Promise<BatchState> {
  const [row] = await sql<[BatchState]>`
    select
      count(*) filter (where is_member and state = 'succeeded')::int as succeeded,
      count(*) filter (where not is_member)::int as moved,
      count(*) filter (where is_member and state not in ('succeeded', 'waiting'))::int as ended,
      count(*) filter (where is_member and state = 'waiting')::int as left
    from (
      select delivery.batch_id is not distinct from batch.id as is_member,
        -- begin_attempts does not begin it, so it must not keep the run waiting.
        case when delivery.state = 'waiting'
          and is_stale_sample(delivery.is_test, delivery.created_at)
          then 'cancelled' else delivery.state end as state
      from (
        -- A delivery that was redelivered meanwhile may be a member twice.
        select distinct batch.id, member.id as delivery_id from webhook_delivery_batches as batch
        cross join unnest(batch.delivery_ids) as member (id) where batch.id = ${batchId}
      ) as batch join webhook_deliveries as delivery on delivery.id = batch.delivery_id
    ) as members`;
  return row;
}

/** The members of a batch to one subscription, by their events. */
export type BatchMembers = {
  readonly vendorId: string;
  readonly subscriptionId: string;
  readonly eventIds: readonly string[];
};

/** All deliveries that were ever part of a batch, by vendor and subscription. */
export const listBatchMembers = async (
  sql: Queryable,
  batchId: string,
): Promise<readonly BatchMembers[]> => sql<BatchMembers[]>`
  select vendor_id, subscription_id, array_agg(event_id order by event_id) as event_ids
  from webhook_deliveries where id in (${membersOf(sql, batchId)})
  group by vendor_id, subscription_id order by vendor_id, subscription_id`;

/** A subquery for the ids of all deliveries that were ever part of a batch. */
export const membersOf = (sql: Queryable, batchId: string): Fragment => sql`
  select unnest(delivery_ids) from webhook_delivery_batches where id = ${batchId}`;

/** A delivery whose first attempt a batch has yet to make, and its receiver. */
export type BatchedDelivery = {
  readonly deliveryId: string;
  readonly subscriptionId: string;
  readonly vendorId: string;
  readonly url: string;
};

export async function listBatchedDeliveries(
  sql: Queryable,
  batchId: string,
): Promise<readonly BatchedDelivery[]> {
  return sql<BatchedDelivery[]>`
    select distinct on (delivery.id) delivery.id as delivery_id, delivery.subscription_id,
      delivery.vendor_id, subscription.url
    from webhook_delivery_batches as batch
    cross join unnest(batch.delivery_ids) as member (id)
    join webhook_deliveries as delivery on delivery.id = member.id
    join webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
    where batch.id = ${batchId} and delivery.batch_id = batch.id and delivery.state = 'waiting'
    order by delivery.id`;
}
