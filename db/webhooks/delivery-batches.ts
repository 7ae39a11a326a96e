import type { Queryable } from '../core/client.ts';
import { asksForFirstAttempt } from '../outbox/outbox.ts';
import { writeMessages } from '../outbox/write-messages.ts';

/** How many deliveries wait for the first attempt of their schedule; counted up to `max`. */
export async function countFirstAttempts(sql: Queryable, max: number): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total from (
      select from outbox where not may_wait and due_at <= now() and ${asksForFirstAttempt(sql)} limit ${max}
    ) as waiting`;
  return row.total;
}

/**
 * Makes one dispatch of the deliveries that wait for the first attempt of their schedule: its members are fixed here, and one
 * message asks for its run in place of theirs. Answers how many messages it stands for.
 */
export async function createDeliveryBatch(
  sql: Queryable,
  { batchId, max }: { readonly batchId: string; readonly max: number },
): Promise<number> {
  const message = writeMessages(sql, 'webhookDeliveryBatch', {
    from: sql`dispatch`,
    payload: { size: sql`size` },
  });
  const [row] = await sql<[{ total: number }]>`
    with due as materialized (
      select id, subject_id from outbox where not may_wait and due_at <= now() and ${asksForFirstAttempt(sql)}
      order by id limit ${max} for update skip locked
    ), taken as (
      delete from outbox using due where outbox.id = due.id returning outbox.subject_id
    ), free as materialized (
      -- One that a run of its own has begun stays with that. One that was ended meanwhile is a member too, and left alone: its
      -- row is to name a run that is there.
      select id from webhook_deliveries
      where id in (select subject_id from taken) and not is_under_way and batch_id is null
      order by id for no key update
    ), member as (
      update webhook_deliveries set batch_id = ${batchId}
      from free where webhook_deliveries.id = free.id
      returning webhook_deliveries.id
    ), dispatch as (
      insert into webhook_delivery_batches (id, delivery_ids)
      select ${batchId}::uuid, array_agg(id order by id) from member having count(*) > 0
      returning id, cardinality(delivery_ids) as size
    )
    select count(*)::int as total, ${message} as messages from taken`;
  return row.total;
}

/** How the deliveries of a dispatch stand: what it has delivered, what went on in runs of their own, what ended, what it has left. */
export type BatchState = {
  readonly succeeded: number;
  readonly retrying: number;
  readonly ended: number;
  readonly left: number;
};

export async function readBatchState(sql: Queryable, batchId: string): Promise<BatchState> {
  const [row] = await sql<[BatchState]>`
    select
      count(*) filter (where is_its and state = 'succeeded')::int as succeeded,
      count(*) filter (where not is_its)::int as retrying,
      count(*) filter (where is_its and state in ('deadLettered', 'cancelled', 'failed'))::int as ended,
      count(*) filter (where is_its and state = 'waiting')::int as left
    from (
      select delivery.state, delivery.batch_id is not distinct from dispatch.id as is_its
      from webhook_delivery_batches as dispatch
      cross join unnest(dispatch.delivery_ids) as member (id)
      join webhook_deliveries as delivery on delivery.id = member.id
      where dispatch.id = ${batchId}
    ) as members`;
  return row;
}

/** A delivery whose first attempt a dispatch is to make, and where it goes. */
export type BatchedDelivery = {
  readonly deliveryId: string;
  readonly subscriptionId: string;
  readonly url: string;
};

/** What a dispatch has left to do; what it did is not among them. */
export async function listBatchedDeliveries(
  sql: Queryable,
  batchId: string,
): Promise<readonly BatchedDelivery[]> {
  return sql<BatchedDelivery[]>`
    select delivery.id as delivery_id, delivery.subscription_id, subscription.url
    from webhook_delivery_batches as dispatch
    cross join unnest(dispatch.delivery_ids) as member (id)
    join webhook_deliveries as delivery on delivery.id = member.id
    join webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
    where dispatch.id = ${batchId} and delivery.batch_id = dispatch.id and delivery.state = 'waiting'
    order by delivery.id`;
}
