-- Stores each event with the vendor's next number, a delivery for each active subscription to its
-- type except `excluded_subscription_id`, and its row in the queue. The vendors' rows of
-- event_sequences stay locked until the transaction ends, so a transaction calls this once, after
-- it has locked an agreement and before it takes a change time. No event has an instant before the
-- instant of a lower number: under the same lock, an event whose transaction waited gets the
-- instant of the vendor's latest event if that is later.
create or replace function emit_events(of_events jsonb) returns void language plpgsql volatile
-- Each statement touches a few rows by their keys. A plan from statistics of empty tables, or one
-- for each call, would cost more than the work.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  of_vendor record;
  previous record;
  vendors uuid[];
  earlier_numbers bigint[];
  earlier_instants timestamptz[];
begin
  -- A client that freezes here would otherwise block all orders that are taken in with one of these
  -- vendors'.
  perform set_config('idle_in_transaction_session_timeout', '5000', true);
  for of_vendor in
    select vendor_id as id, count(*) as events, max(occurred_at) as latest_at
    from jsonb_to_recordset(of_events) as new_events(vendor_id uuid, occurred_at timestamptz)
    -- One order for all transactions prevents deadlocks.
    group by vendor_id order by vendor_id
  loop
    -- An insert that finds the row would lock it first, which is written too.
    update event_sequences as sequences set latest = sequences.latest + of_vendor.events,
      latest_at = greatest(sequences.latest_at, of_vendor.latest_at)
    where vendor_id = of_vendor.id
    returning old.latest, old.latest_at into previous;
    if not found then
      insert into event_sequences as sequences (vendor_id, latest, latest_at)
      values (of_vendor.id, of_vendor.events, of_vendor.latest_at)
      on conflict (vendor_id) do update set latest = sequences.latest + excluded.latest,
        latest_at = greatest(sequences.latest_at, excluded.latest_at)
      returning coalesce(old.latest, 0) as latest, old.latest_at into previous;
    end if;
    vendors := vendors || of_vendor.id;
    earlier_numbers := earlier_numbers || previous.latest;
    earlier_instants := earlier_instants || previous.latest_at;
  end loop;
  -- A new snapshot, taken after the wait for other transactions.
  with new_events as materialized (
    select new_events.*,
      earlier + row_number() over (partition by new_events.vendor_id order by position) as sequence,
      greatest(earlier_at, max(occurred_at) over (
        partition by new_events.vendor_id order by position
      )) as at
    from rows from (jsonb_to_recordset(of_events) as (
      id text, vendor_id uuid, event_type text, body text, occurred_at timestamptz,
      excluded_subscription_id uuid, traceparent text
    )) with ordinality as new_events(
      id, vendor_id, event_type, body, occurred_at, excluded_subscription_id, traceparent, position
    )
    join unnest(vendors, earlier_numbers, earlier_instants)
      as numbered (vendor_id, earlier, earlier_at)
      on numbered.vendor_id = new_events.vendor_id
  ), receiver as materialized (
    select new_events.id as event_id, webhook_subscriptions.id as subscription_id, epoch,
      new_events.vendor_id, new_events.event_type
    from new_events join webhook_subscriptions
      on webhook_subscriptions.vendor_id = new_events.vendor_id and is_active
        and event_types @> array[new_events.event_type]
        and webhook_subscriptions.id is distinct from new_events.excluded_subscription_id
  ), stored as (
    insert into webhook_events (id, vendor_id, event_type, body, occurred_at, sequence, receivers,
      traceparent)
    -- The body is a JSON object; its text ends with the brace. The first instant in it is this one.
    select id, vendor_id, event_type,
      case when at = occurred_at then left(body, -1) else overlay(left(body, -1)
        placing to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        from position('"occurredAt":"' in body) + 14 for 24) end
        || ',"sequence":' || sequence || '}',
      at, sequence, (select count(*) from receiver where event_id = new_events.id),
      traceparent
    from new_events
  ), deliveries as (
    insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, epoch)
    select uuidv7(), event_id, subscription_id, vendor_id, event_type, epoch from receiver
    returning id, subscription_id
  )
  insert into delivery_queue (subscription_id, due_at, delivery_id)
  select subscription_id, now(), id from deliveries;
end $$;
