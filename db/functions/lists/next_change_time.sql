-- The change time (D38) of what a transaction writes for these vendors. Times of one vendor become
-- visible in their order: the transaction keeps the vendor's other writers out until it commits, so
-- it must take no locks after this call. Each time is later than every earlier one, even if the
-- clock was set back. The vendors are read one by one, because the planner would plan a query over
-- the array anew each time.
create or replace function next_change_time(of_vendors uuid[]) returns timestamptz
language plpgsql volatile as $$
declare
  applied text;
  vendor_key bigint;
  of_vendor uuid;
  latest_group timestamptz;
  latest_return timestamptz;
  latest timestamptz;
begin
  -- A client that freezes here would otherwise block the vendor's reads.
  applied := set_config('idle_in_transaction_session_timeout', '5000', true);
  -- One order for all transactions prevents deadlocks.
  for vendor_key in
    select distinct hashtextextended(vendor_id::text, 2) from unnest(of_vendors) as vendor_id
    where vendor_id is not null order by 1
  loop
    perform pg_advisory_xact_lock(vendor_key);
  end loop;
  -- Each statement has a new snapshot, taken after the wait for every lock.
  foreach of_vendor in array of_vendors loop
    select max(order_changed_at) into latest_group from fulfilment_groups
    where vendor_id = of_vendor;
    select max(changed_at) into latest_return from return_requests where vendor_id = of_vendor;
    latest := greatest(latest, latest_group, latest_return);
  end loop;
  return greatest(clock_timestamp(), latest + interval '1 microsecond');
end $$;
