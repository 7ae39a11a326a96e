import { workerLost } from '../webhooks/begin-attempts.ts';
import type { Queryable } from '../core/client.ts';

/** How many messages were written for items without a run. */
export type Reconciled = {
  readonly deliveries: number;
  readonly deliveryBatches: number;
  readonly returns: number;
};

/** Of one call; the next call handles the rest. */
const limit = 1000;

/**
 * Finds items that are overdue by more than `graceMs` and have no message in the outbox, and writes
 * the message that starts their run. If the run exists, the message changes nothing. A delivery
 * gets a new schedule, because the position in the old one is not stored. Overdue samples end
 * unsent.
 */
export async function reconcile(sql: Queryable, graceMs: number): Promise<Reconciled> {
  const overdue = sql`clock_timestamp() - ${graceMs} * interval '1 millisecond'`;
  await sql`
    with given_up as materialized (
      -- A locked row is in use by its run.
      select id from webhook_deliveries
      where state = 'waiting' and is_test and created_at < ${overdue}
      order by id for no key update skip locked
    ), ended as (
      update webhook_deliveries as delivery set state = 'cancelled', is_under_way = false
      from given_up where delivery.id = given_up.id
      returning delivery.id, delivery.attempts
    )
    update webhook_attempts as attempt set succeeded = false, sent_at = attempt.created_at,
      next_attempt_at = attempt.created_at, error_summary = ${workerLost}
    from ended
    where attempt.delivery_id = ended.id and attempt.attempt_number = ended.attempts and attempt.succeeded is null`;
  const deliveries = await sql`
    insert into outbox (kind, subject_id, input)
    select 'webhookDelivery', delivery.id, jsonb_build_object('vendorId', delivery.vendor_id,
      'eventType', delivery.event_type, 'signal', 'retry', 'attempts', delivery.attempts::text, 'tries', '0',
      'dueAt', clock_timestamp())
    from webhook_deliveries as delivery
    left join webhook_attempts as latest
      on latest.delivery_id = delivery.id and latest.attempt_number = delivery.attempts
    where delivery.state = 'waiting' and not delivery.is_test and delivery.batch_id is null
      and coalesce(latest.next_attempt_at, delivery.created_at) < ${overdue}
      and not exists (select from outbox where subject_id = delivery.id)
    -- In random order: deliveries whose runs exist and merely wait must not starve the others.
    order by random() limit ${limit}
    returning id`;
  const deliveryBatches = await sql`
    insert into outbox (kind, subject_id, input)
    select 'webhookDeliveryBatch', batch.id, jsonb_build_object('size', cardinality(batch.delivery_ids)::text)
    from webhook_delivery_batches as batch
    where batch.created_at < ${overdue}
      and batch.id in (select batch_id from webhook_deliveries where state = 'waiting')
      and not exists (select from outbox where subject_id = batch.id)
    order by random() limit ${limit}
    returning id`;
  const returns = await sql`
    insert into outbox (kind, subject_id, input)
    select 'returnInspection', id, jsonb_build_object('vendorId', coalesce(vendor_id::text, ''), 'signal', 'changed',
      'inspectionStartMs', inspection_start_ms::text, 'inspectionWindowMs', inspection_window_ms::text)
    from return_requests
    where destination = 'Supplier' and (
        status = 'UnderInspection' and not requires_staff_review and inspection_deadline < ${overdue}
        or status = 'Received' and received_at + inspection_start_ms * interval '1 millisecond' < ${overdue}
      )
      and not exists (select from outbox where subject_id = return_requests.id)
    order by random() limit ${limit}
    returning id`;
  return {
    deliveries: deliveries.count,
    deliveryBatches: deliveryBatches.count,
    returns: returns.count,
  };
}
