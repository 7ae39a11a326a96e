-- Change times that a vendor can poll by (D38). A time that is merely read from a clock is not enough: of two transactions the one
-- with the earlier time may commit later, and whoever polled in between has looked past it.

-- The change time of what a transaction writes for these vendors, the last thing it asks for. Times of one vendor become
-- visible in their order: whoever has one keeps the others out until it has committed. Each is later than every earlier
-- one, also when the clock was set back.
create function next_change_time(of_vendors uuid[]) returns timestamptz language plpgsql volatile as $$
declare
  vendor_key bigint;
  latest timestamptz;
begin
  -- A process that is frozen right here must not keep a vendor's reads waiting.
  perform set_config('idle_in_transaction_session_timeout', '5000', true);
  -- In one order for all, so that two who want the same vendors do not wait for each other.
  for vendor_key in
    select distinct hashtextextended(vendor_id::text, 2) from unnest(of_vendors) as vendor_id
    where vendor_id is not null order by 1
  loop
    perform pg_advisory_xact_lock(vendor_key);
  end loop;
  -- Read after the wait, by a snapshot of its own.
  select max(changed_at) into latest from (
    select (
      select max(order_changed_at) from fulfilment_groups where fulfilment_groups.vendor_id = vendor.id
    ) from unnest(of_vendors) as vendor(id)
    union all
    select (
      select max(changed_at) from return_requests where return_requests.vendor_id = vendor.id
    ) from unnest(of_vendors) as vendor(id)
  ) as of_each(changed_at);
  return greatest(clock_timestamp(), latest + interval '1 microsecond');
end $$;

-- Gives an order's groups the time of its latest change. Each has a microsecond of its own, so that a page may end between
-- two of them, and the next one begin there.
create function touch_order(of_order uuid) returns void language plpgsql volatile as $$
declare
  changed_at timestamptz;
begin
  changed_at := next_change_time(array(
    select distinct vendor_id from fulfilment_groups where order_id = of_order and vendor_id is not null
  ));
  update fulfilment_groups set order_changed_at = changed_at + ranked.place * interval '1 microsecond'
  from (
    select id, row_number() over (order by id) - 1 as place from fulfilment_groups where order_id = of_order
  ) as ranked
  where fulfilment_groups.id = ranked.id;
end $$;

-- Waits until every change that has a time is in. A read that begins afterwards misses none that is older than it.
create function await_changes(of_vendor uuid) returns void language sql volatile as $$
  select pg_advisory_xact_lock_shared(hashtextextended(of_vendor::text, 2));
$$;
