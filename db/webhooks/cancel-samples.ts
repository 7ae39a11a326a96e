import type { Queryable } from '../core/client.ts';
import { workerLost } from './attempts/begin-attempts.ts';

/**
 * Cancels samples that are ten minutes old and still wait, except those whose rows another
 * transaction holds: a sample is never sent late.
 */
export async function cancelStaleSamples(sql: Queryable): Promise<void> {
  await sql`
    with stale_rows as materialized (
      select queue.* from webhook_deliveries as delivery join delivery_queue as queue
        on queue.subscription_id = delivery.subscription_id and queue.delivery_id = delivery.id
      where state = 'waiting' and is_test
        and delivery.created_at < (select clock_timestamp() - interval '10 minutes')
      for update of queue skip locked
    ), left_queue as (
      delete from delivery_queue as queue using stale_rows
      where queue.subscription_id = stale_rows.subscription_id
        and queue.due_at = stale_rows.due_at and queue.delivery_id = stale_rows.delivery_id
    ), stale as materialized (
      select id from webhook_deliveries
      where state = 'waiting' and is_test
        -- A subquery, because an index finds no value of a volatile function.
        and created_at < (select clock_timestamp() - interval '10 minutes')
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
