-- An order comes in by one call: each statement that crosses the network costs both sides more than what it does.

-- As before (0007), with a plan that is kept: what was asked of all vendors in one statement was planned anew each time, because
-- with the array at hand the planner always found a better plan than without it.
create or replace function next_change_time(of_vendors uuid[]) returns timestamptz language plpgsql volatile as $$
declare
  applied text;
  vendor_key bigint;
  of_vendor uuid;
  latest_group timestamptz;
  latest_return timestamptz;
  latest timestamptz;
begin
  -- A process that is frozen right here must not keep a vendor's reads waiting.
  applied := set_config('idle_in_transaction_session_timeout', '5000', true);
  -- In one order for all, so that two who want the same vendors do not wait for each other.
  for vendor_key in
    select distinct hashtextextended(vendor_id::text, 2) from unnest(of_vendors) as vendor_id
    where vendor_id is not null order by 1
  loop
    perform pg_advisory_xact_lock(vendor_key);
  end loop;
  -- Read after the wait for all of them, each statement by a snapshot of its own.
  foreach of_vendor in array of_vendors loop
    select max(order_changed_at) into latest_group from fulfilment_groups where vendor_id = of_vendor;
    select max(changed_at) into latest_return from return_requests where vendor_id = of_vendor;
    latest := greatest(latest, latest_group, latest_return);
  end loop;
  return greatest(clock_timestamp(), latest + interval '1 microsecond');
end $$;

-- An event, a delivery for each active subscription to its type, and the message to each delivery's workflow. Nothing when
-- nobody is subscribed.
create function emit_event(event_id text, of_vendor uuid, of_type text, body text, occurred_at timestamptz)
returns void language plpgsql volatile as $$
declare
  written integer;
begin
  with receiver as materialized (
    select webhook_subscriptions.id, epoch from webhook_subscriptions
    where webhook_subscriptions.vendor_id = of_vendor and is_active and event_types @> array[of_type]
  ), stored as (
    insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
    select emit_event.event_id, of_vendor, of_type, emit_event.body, emit_event.occurred_at
    where exists (select from receiver)
  ), deliveries as (
    insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, epoch)
    select uuidv7(), emit_event.event_id, receiver.id, of_vendor, of_type, receiver.epoch from receiver
    returning id
  )
  select write_messages('webhookDelivery', array_agg(id), array_agg(jsonb_build_object(
    'signal', 'start', 'vendorId', of_vendor, 'eventType', of_type
  ))) into written from deliveries;
end $$;

-- A transaction that tells the relays of its messages afterwards says so: a notice within it makes its commit wait for every other
-- that has one.
create or replace function notify_outbox_of_messages() returns trigger language plpgsql as $$
begin
  if current_setting('gateway.tells_later', true) = 'on' then
    return null;
  end if;
  if exists (select from messages) then
    perform pg_notify('outbox', '');
  end if;
  return null;
end $$;

-- Stores orders with all that belongs to them: their audit entries, the events of their groups, the groups with their change times,
-- and their lines. All of it or, when any of it fails, nothing. Its statements are one after another on purpose: the change times
-- come after everything that may have to wait, which within one statement nothing would ensure (0007). Whoever calls it tells
-- the relays.
create function insert_orders(of_orders jsonb, of_audit jsonb, of_events jsonb, of_groups jsonb, of_lines jsonb)
returns void language plpgsql volatile as $$
declare
  written integer;
  changed_at timestamptz;
begin
  perform set_config('gateway.tells_later', 'on', true);
  insert into orders (id, ship_recipient, ship_line1, ship_line2, ship_city, ship_region, ship_postal_code,
    ship_country, ship_phone, created_at)
  select id, recipient, line1, line2, city, region, "postalCode", country, phone, created_at
  from jsonb_to_recordset(of_orders)
    as given(id uuid, created_at timestamptz, recipient text, line1 text, line2 text, city text, region text,
      "postalCode" text, country text, phone text);
  insert into audit_log (operator_id, action, subject_type, subject_id, request_id, after)
  select "operatorId", action, 'order', "subjectId", "requestId", after
  from jsonb_to_recordset(of_audit)
    as given("operatorId" uuid, action text, "subjectId" uuid, "requestId" text, after jsonb);
  with given as materialized (
    select * from jsonb_to_recordset(of_events)
      as given(id text, vendor_id uuid, event_type text, body text, occurred_at timestamptz)
  ), receiver as materialized (
    select given.id as event_id, webhook_subscriptions.id as subscription_id, epoch, given.vendor_id, given.event_type
    from given join webhook_subscriptions
      on webhook_subscriptions.vendor_id = given.vendor_id and is_active and event_types @> array[given.event_type]
  ), stored as (
    insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
    select * from given where id in (select event_id from receiver)
  ), deliveries as (
    insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, epoch)
    select uuidv7(), event_id, subscription_id, vendor_id, event_type, epoch from receiver
    returning id, vendor_id, event_type
  )
  select write_messages('webhookDelivery', array_agg(id), array_agg(jsonb_build_object(
    'signal', 'start', 'vendorId', vendor_id, 'eventType', event_type
  ))) into written from deliveries;
  changed_at := next_change_time(array(
    select distinct (given ->> 'vendor_id')::uuid from jsonb_array_elements(of_groups) as given
  ));
  insert into fulfilment_groups (id, order_id, vendor_id, status, carrier, carrier_name_other, order_created_at,
    order_changed_at)
  select given.id, order_id, vendor_id, status, carrier, carrier_name_other, created_at,
    changed_at + place * interval '1 microsecond'
  from jsonb_to_recordset(of_groups)
    as given(id uuid, order_id uuid, vendor_id uuid, status text, carrier text, carrier_name_other text,
      created_at timestamptz, place integer);
  insert into order_lines (id, group_id, position, variant_id, quantity)
  select id, group_id, position, variant_id, quantity
  from jsonb_to_recordset(of_lines)
    as given(id uuid, group_id uuid, position integer, variant_id uuid, quantity integer);
end $$;
