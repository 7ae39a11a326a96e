-- The change time of a change of this vendor's offers, by its clock. Unlike next_change_times it
-- lets the vendor's other writers go on, because stock pushes must not queue. It holds a shared
-- lock until the transaction ends: lock_offer_changes thus waits for every change that has a time.
-- Two changes may share a time. Each is later than every committed one, even if the clock was set
-- back. The transaction must wait for no other writer of offers after this call.
create or replace function offer_change_time(of_vendor uuid) returns timestamptz
language plpgsql volatile as $$
declare
  applied text;
  clock timestamptz;
  latest timestamptz;
begin
  -- A client that freezes here would otherwise block the vendor's reads.
  applied := set_config('idle_in_transaction_session_timeout', '5000', true);
  perform pg_advisory_xact_lock_shared(hashtextextended(of_vendor::text, 3));
  -- A new snapshot, taken after the wait.
  select coalesce(
    -- After the instant at which the clock stands, which a caller may have read already.
    clock_stands_at + interval '1 microsecond', clock_timestamp() + clock_offset
  ), greatest(
    agreement_changed_at, (select max(change_time) from offers where vendor_id = of_vendor)
  ) into clock, latest from vendors where id = of_vendor;
  return greatest(clock, latest + interval '1 microsecond');
end $$;
