import type { Queryable } from '../core/client.ts';
import { asksForFirstAttempt } from '../outbox/outbox.ts';
import { writeMessages } from '../outbox/write-messages.ts';

/** The number of deliveries that wait for the first attempt of their schedule, at most `max`. */
export async function countFirstAttempts(sql: Queryable, max: number): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total from (
      select from outbox where not is_low_priority and due_at <= now() and ${asksForFirstAttempt(sql)} limit ${max}
    ) as waiting`;
  return row.total;
}

/**
 * Creates one batch of the deliveries that wait for the first attempt of their schedule, and
 * replaces their messages by one for the batch's run. Returns how many messages it replaced.
 */
export async function createDeliveryBatch(
  sql: Queryable,
  { batchId, max }: { readonly batchId: string; readonly max: number },
): Promise<number> {
  const message = writeMessages(sql, 'webhookDeliveryBatch', {
    from: sql`batch`,
    payload: { size: sql`size` },
  });
  const [row] = await sql<[{ total: number }]>`
    with due as materialized (
      select id, subject_id from outbox where not is_low_priority and due_at <= now() and ${asksForFirstAttempt(sql)}
      order by id limit ${max} for update skip locked
    ), taken as (
      delete from outbox using due where outbox.id = due.id returning outbox.subject_id
    ), free as materialized (
      -- A delivery that its own run has begun stays with that run. A delivery that has ended since
      -- becomes a member, and the batch's run skips it, so that its row names an existing run.
      select id from webhook_deliveries
      where id in (select subject_id from taken) and not is_under_way and batch_id is null
      order by id for no key update
    ), member as (
      update webhook_deliveries set batch_id = ${batchId}
      from free where webhook_deliveries.id = free.id
      returning webhook_deliveries.id
    ), batch as (
      insert into webhook_delivery_batches (id, delivery_ids)
      select ${batchId}::uuid, array_agg(id order by id) from member having count(*) > 0
      returning id, cardinality(delivery_ids) as size
    )
    select count(*)::int as total, ${message} as messages from taken`;
  return row.total;
}

/** A batch's deliveries by outcome; `retrying` ones have runs of their own, `left` ones wait. */
export type BatchState = {
  readonly succeeded: number;
  readonly retrying: number;
  readonly ended: number;
  readonly left: number;
};

export async function readBatchState(sql: Queryable, batchId: string): Promise<BatchState> {
  const [row] = await sql<[BatchState]>`
    select
      count(*) filter (where is_member and state = 'succeeded')::int as succeeded,
      count(*) filter (where not is_member)::int as retrying,
      count(*) filter (where is_member and state in ('deadLettered', 'cancelled', 'failed'))::int as ended,
      count(*) filter (where is_member and state = 'waiting')::int as left
    from (
      select delivery.state, delivery.batch_id is not distinct from batch.id as is_member
      from webhook_delivery_batches as batch
      cross join unnest(batch.delivery_ids) as member (id)
      join webhook_deliveries as delivery on delivery.id = member.id
      where batch.id = ${batchId}
    ) as members`;
  return row;
}

/** A delivery whose first attempt a batch has yet to make, and its receiver. */
export type BatchedDelivery = {
  readonly deliveryId: string;
  readonly subscriptionId: string;
  readonly url: string;
};

export async function listBatchedDeliveries(
  sql: Queryable,
  batchId: string,
): Promise<readonly BatchedDelivery[]> {
  return sql<BatchedDelivery[]>`
    select delivery.id as delivery_id, delivery.subscription_id, subscription.url
    from webhook_delivery_batches as batch
    cross join unnest(batch.delivery_ids) as member (id)
    join webhook_deliveries as delivery on delivery.id = member.id
    join webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
    where batch.id = ${batchId} and delivery.batch_id = batch.id and delivery.state = 'waiting'
    order by delivery.id`;
}
