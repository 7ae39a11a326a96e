-- Stores orders with their audit entries, events, groups, change times and lines: all of them or
-- none. One call, because each further statement over the network costs more than its work. The
-- change times come after everything that may wait for a lock, which a single statement would not
-- ensure.
create or replace function insert_orders(
  of_orders jsonb, of_audit jsonb, of_events jsonb, of_groups jsonb, of_lines jsonb
) returns void language plpgsql volatile
-- As in emit_events.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  vendors uuid[];
  change_times timestamptz[];
begin
  with stored as (
    insert into orders (id, ship_recipient, ship_line1, ship_line2, ship_city, ship_region,
      ship_postal_code, ship_country, ship_phone, created_at)
    select id, recipient, line1, line2, city, region, "postalCode", country, phone, created_at
    from jsonb_to_recordset(of_orders)
      as input(id uuid, created_at timestamptz, recipient text, line1 text, line2 text, city text,
        region text, "postalCode" text, country text, phone text)
  )
  insert into audit_log (operator_id, action, subject_type, subject_id, request_id, after)
  select "operatorId", action, 'order', "subjectId", "requestId", after
  from jsonb_to_recordset(of_audit)
    as input("operatorId" uuid, action text, "subjectId" uuid, "requestId" text, after jsonb);
  perform emit_events(of_events);
  select array_agg(vendor_id), array_agg(at) into vendors, change_times
  from next_change_times(array(
    select distinct (input ->> 'vendor_id')::uuid from jsonb_array_elements(of_groups) as input
  ));
  with stored as (
    insert into fulfilment_groups (id, order_id, vendor_id, status, carrier, carrier_name_other,
      order_created_at, order_changed_at)
    select input.id, order_id, vendor_id, status, carrier, carrier_name_other, created_at,
      change_times[array_position(vendors, vendor_id)] + position * interval '1 microsecond'
    from jsonb_to_recordset(of_groups)
      as input(id uuid, order_id uuid, vendor_id uuid, status text, carrier text,
        carrier_name_other text, created_at timestamptz, position integer)
  )
  insert into order_lines (id, group_id, position, variant_id, quantity)
  select id, group_id, position, variant_id, quantity
  from jsonb_to_recordset(of_lines)
    as input(id uuid, group_id uuid, position integer, variant_id uuid, quantity integer);
end $$;
