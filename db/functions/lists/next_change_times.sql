-- The change time of what a transaction writes for each of these vendors, by the vendor's
-- clock; null is no vendor. Times of one vendor become visible in their order: the
-- transaction keeps the vendor's other writers out until it commits, so it must take no locks after
-- this call. Each time is later than every earlier one, even if the clock was set back. The vendors
-- are read one by one, because the planner would plan a query over the array anew each time.
create or replace function next_change_times(of_vendors uuid[])
returns table (vendor_id uuid, at timestamptz) language plpgsql volatile as $$
#variable_conflict use_column
declare
  applied text;
  vendor_key bigint;
  of_vendor uuid;
  ahead interval;
  stands_at timestamptz;
  latest_group timestamptz;
  latest_return timestamptz;
begin
  -- A client that freezes here would otherwise block the vendor's reads.
  applied := set_config('idle_in_transaction_session_timeout', '5000', true);
  -- One order for all transactions prevents deadlocks.
  for vendor_key in
    select distinct hashtextextended(vendor::text, 2) from unnest(of_vendors) as vendor
    where vendor is not null order by 1
  loop
    perform pg_advisory_xact_lock(vendor_key);
  end loop;
  -- Each statement has a new snapshot, taken after the wait for every lock.
  foreach of_vendor in array of_vendors loop
    select clock_offset, clock_stands_at into ahead, stands_at from vendors where id = of_vendor;
    select max(order_changed_at) into latest_group from fulfilment_groups
    where vendor_id = of_vendor;
    select max(changed_at) into latest_return from return_requests where vendor_id = of_vendor;
    return query select of_vendor, greatest(
      -- After the instant at which the clock stands, which a caller may have read already.
      coalesce(
        stands_at + interval '1 microsecond', clock_timestamp() + coalesce(ahead, '0')
      ),
      greatest(latest_group, latest_return) + interval '1 microsecond'
    );
  end loop;
end $$;
