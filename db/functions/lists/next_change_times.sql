-- The change time of what a transaction writes for each of these vendors, by the vendor's
-- clock; null is no vendor. Times of one vendor become visible in their order: the
-- transaction keeps the vendor's other writers out until it commits, so it must take no locks after
-- this call. Each time is later than every earlier one, even if the clock was set back.
create or replace function next_change_times(of_vendors uuid[])
returns table (vendor_id uuid, at timestamptz) language plpgsql volatile
-- As in emit_events: otherwise each call would plan the query over the array anew.
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  applied text;
begin
  -- A client that freezes here would otherwise block the vendor's reads.
  applied := set_config('idle_in_transaction_session_timeout', '5000', true);
  -- One order for all transactions prevents deadlocks.
  perform pg_advisory_xact_lock(key)
  from (
    select distinct hashtextextended(vendor::text, 2) as key from unnest(of_vendors) as vendor
    where vendor is not null order by key
  ) as keys;
  -- A new snapshot, taken after the wait for every lock.
  return query
  select of_vendor, greatest(
    -- After the instant at which the clock stands, which a caller may have read already.
    coalesce(
      clock_stands_at + interval '1 microsecond', clock_timestamp() + coalesce(clock_offset, '0')
    ),
    greatest(
      (select max(order_changed_at) from fulfilment_groups where vendor_id = of_vendor),
      (select max(changed_at) from return_requests where vendor_id = of_vendor)
    ) + interval '1 microsecond'
  )
  from unnest(of_vendors) as of_vendor left join lateral (
    select clock_offset, clock_stands_at from vendors where id = of_vendor offset 0
  ) as vendor on true;
end $$;
