import type { Queryable } from '../core/client.ts';
import { workerLost } from './attempts/begin-attempts.ts';

/**
 * Cancels samples that are ten minutes old and still wait, except those whose rows another
 * transaction holds: a sample is never sent late.
 */
export async function cancelStaleSamples(sql: Queryable): Promise<void> {
  await sql`
    with stale_rows as materialized (
      select queue.* from delivery_queue as queue cross join lateral (
        select from webhook_deliveries as delivery
        where delivery.id = queue.delivery_id and state = 'waiting' and is_test offset 0
      ) as sample
      -- As long as it waits, a sample is due since its creation.
      where queue.due_at < (select clock_timestamp() - interval '10 minutes')
      order by queue.subscription_id, queue.due_at, queue.delivery_id
      for update of queue skip locked
    ), stale as materialized (
      select id from webhook_deliveries
      where id = any(array(
          select delivery_id from stale_rows
          union all
          select id from webhook_deliveries
          where listed_state = 'waiting' and is_test
            -- A subquery, because an index finds no value of a volatile function.
            and created_at < (select clock_timestamp() - interval '10 minutes')
        )) and state = 'waiting'
      order by id for no key update skip locked
    ), left_queue as (
      delete from delivery_queue as queue using stale_rows join stale on id = delivery_id
      where queue.subscription_id = stale_rows.subscription_id
        and queue.due_at = stale_rows.due_at and queue.delivery_id = stale_rows.delivery_id
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
