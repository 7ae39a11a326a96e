-- Ends the attempts of claims whose leases ran out as `lost_summary`. One that took long has a row,
-- because it was sent. Whether a worker sent one of the others before it was lost is unknown: these
-- get a row without the instant of a request. The caller has locked the rows of the queue.
create or replace function end_lost_attempts(
  of_deliveries uuid[], claimed_at timestamptz[], lost_summary text
) returns void language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform from webhook_deliveries where id = any(of_deliveries) order by id for no key update;
  with input as materialized (
    select * from unnest(of_deliveries, claimed_at) as input (id, claimed_at)
  ), lost as (
    update webhook_deliveries as delivery set
      attempts = delivery.attempts + (not delivery.is_under_way)::integer, is_under_way = false
    from input where delivery.id = input.id and delivery.state = 'waiting'
    returning delivery.id, delivery.subscription_id, delivery.event_type, delivery.event_id,
      delivery.attempts, old.is_under_way as has_row, input.claimed_at
  ), known as (
    update webhook_attempts as attempt set succeeded = false, sent_at = attempt.created_at,
      next_attempt_at = clock_timestamp(), error_summary = lost_summary
    from lost
    where has_row and attempt.delivery_id = lost.id and attempt.attempt_number = lost.attempts
      and attempt.succeeded is null
  )
  insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
    event_id, succeeded, error_summary, next_attempt_at, created_at)
  select uuidv7(), id, subscription_id, attempts, event_type, event_id, false, lost_summary,
    clock_timestamp(), claimed_at
  from lost where not has_row;
end $$;
