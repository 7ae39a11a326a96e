import type { Fragment } from 'postgres';
import { workerLost } from '../webhooks/begin-attempts.ts';
import type { Queryable } from '../core/client.ts';
import { writeMessages } from './write-messages.ts';

/** How many messages a round of the reconciliation wrote. */
export type Reconciled = {
  readonly deliveries: number;
  readonly deliveryBatches: number;
  readonly returns: number;
};

/** Messages of each kind in one round; the next round writes the others. */
const limit = 1000;

/**
 * Finds what should have happened more than `graceMs` ago, has not, and has no message in the
 * outbox, and writes a message for its workflow. If the run is still open, the message changes
 * nothing. A delivery gets a fresh retry schedule, since only the lost run knew its position in the
 * old one. Overdue samples are cancelled.
 */
export async function reconcile(sql: Queryable, graceMs: number): Promise<Reconciled> {
  const overdue = sql`clock_timestamp() - ${graceMs} * interval '1 millisecond'`;
  await cancelSamples(sql, overdue);
  // Each selects in random order: overdue rows whose runs are open after all must not starve the
  // others.
  const deliveries = writeMessages(sql, 'webhookDelivery', {
    from: sql`(
      select delivery.* from webhook_deliveries as delivery
      left join webhook_attempts as latest
        on latest.delivery_id = delivery.id and latest.attempt_number = delivery.attempts
      where delivery.state = 'waiting' and not delivery.is_test and delivery.batch_id is null
        and coalesce(latest.next_attempt_at, delivery.created_at) < ${overdue}
        and not exists (select from outbox where subject_id = delivery.id)
      order by random() limit ${limit}
    ) as delivery`,
    payload: {
      signal: 'retry',
      vendorId: sql`vendor_id`,
      eventType: sql`event_type`,
      attempts: sql`attempts`,
      tries: 0,
      dueAt: sql`clock_timestamp()`,
    },
  });
  const deliveryBatches = writeMessages(sql, 'webhookDeliveryBatch', {
    from: sql`(
      select id, sum(cardinality(delivery_ids)) as size from webhook_delivery_batches as batch
      where id in (select batch_id from webhook_deliveries where state = 'waiting')
        and not exists (select from outbox where subject_id = batch.id)
      group by id having max(created_at) < ${overdue}
      order by random() limit ${limit}
    ) as batch`,
    payload: { size: sql`size` },
  });
  const returns = writeMessages(sql, 'returnInspection', {
    from: sql`(
      select * from return_requests as request
      where destination = 'Supplier' and (
          status = 'UnderInspection' and not requires_staff_review and inspection_deadline < ${overdue}
          or status = 'Received' and received_at + inspection_start_ms * interval '1 millisecond' < ${overdue}
        )
        and not exists (select from outbox where subject_id = request.id)
      order by random() limit ${limit}
    ) as request`,
    payload: {
      signal: 'changed',
      vendorId: sql`vendor_id`,
      inspectionStartMs: sql`inspection_start_ms`,
      inspectionWindowMs: sql`inspection_window_ms`,
    },
  });
  const [written] = await sql<[Reconciled]>`
    select ${deliveries} as deliveries, ${deliveryBatches} as delivery_batches, ${returns} as returns`;
  return written;
}

/** Cancels overdue samples, except those whose rows another transaction holds. */
async function cancelSamples(sql: Queryable, overdue: Fragment): Promise<void> {
  await sql`
    with stale as materialized (
      select id from webhook_deliveries
      where state = 'waiting' and is_test and created_at < ${overdue}
      order by id for no key update skip locked
    ), cancelled as (
      update webhook_deliveries as delivery set state = 'cancelled', is_under_way = false
      from stale where delivery.id = stale.id
      returning delivery.id, delivery.attempts
    )
    update webhook_attempts as attempt set succeeded = false, sent_at = attempt.created_at,
      next_attempt_at = attempt.created_at, error_summary = ${workerLost}
    from cancelled
    where attempt.delivery_id = cancelled.id and attempt.attempt_number = cancelled.attempts
      and attempt.succeeded is null`;
}
