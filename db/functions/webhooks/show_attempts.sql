-- Writes the rows of claimed attempts that wait for a response, so that lists show them.
create or replace function show_attempts(of_claims jsonb) returns void language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set lock_timeout = '2s' as $$
declare
  held constant uuid[] := lock_claims(of_claims);
begin
  perform from webhook_deliveries where id = any(held) order by id for no key update;
  with shown as (
    update webhook_deliveries as delivery
    set attempts = delivery.attempts + 1, is_under_way = true
    from jsonb_to_recordset(of_claims) as claim (delivery_id uuid, claimed_at timestamptz)
    where delivery.id = claim.delivery_id and delivery.id = any(held)
      and delivery.state = 'waiting' and not delivery.is_under_way
    returning delivery.id, delivery.subscription_id, delivery.attempts, delivery.event_type,
      delivery.event_id, claim.claimed_at
  )
  insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
    event_id, next_attempt_at, created_at)
  select uuidv7(), id, subscription_id, attempts, event_type, event_id, claimed_at, claimed_at
  from shown;
end $$;
