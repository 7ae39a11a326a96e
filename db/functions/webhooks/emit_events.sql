-- Stores each event that has an active subscription to its type, a delivery for each such
-- subscription, and the message to each delivery's workflow (D47).
create or replace function emit_events(of_events jsonb) returns void language plpgsql volatile
-- As in claim_first_attempts.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  written integer;
begin
  with given as materialized (
    select * from jsonb_to_recordset(of_events)
      as given(id text, vendor_id uuid, event_type text, body text, occurred_at timestamptz)
  ), receiver as materialized (
    select given.id as event_id, webhook_subscriptions.id as subscription_id, epoch,
      given.vendor_id, given.event_type
    from given join webhook_subscriptions
      on webhook_subscriptions.vendor_id = given.vendor_id and is_active
        and event_types @> array[given.event_type]
  ), stored as (
    insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
    select id, vendor_id, event_type, body, occurred_at from given
    where id in (select event_id from receiver)
  ), deliveries as (
    insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, epoch)
    select uuidv7(), event_id, subscription_id, vendor_id, event_type, epoch from receiver
    returning id, vendor_id, event_type
  )
  select write_messages('webhookDelivery', array_agg(id), array_agg(jsonb_build_object(
    'signal', 'start', 'vendorId', vendor_id, 'eventType', event_type
  ))) into written from deliveries;
end $$;
