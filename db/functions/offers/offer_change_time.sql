-- The change time (D80) of a change of this vendor's offers. Unlike next_change_time it lets the
-- vendor's other writers go on, because stock pushes must not queue: it holds a shared lock until
-- the transaction ends, so that lock_offer_changes waits for every change that has a time. Two
-- changes may share a time. Each is later than every committed one, even if the clock was set back.
-- The transaction must wait for no other writer of offers after this call.
create or replace function offer_change_time(of_vendor uuid) returns timestamptz
language plpgsql volatile as $$
declare
  applied text;
  latest timestamptz;
begin
  -- A client that freezes here would otherwise block the vendor's reads.
  applied := set_config('idle_in_transaction_session_timeout', '5000', true);
  perform pg_advisory_xact_lock_shared(hashtextextended(of_vendor::text, 3));
  -- A new snapshot, taken after the wait.
  select greatest(
    agreement_changed_at, (select max(change_time) from offers where vendor_id = of_vendor)
  ) into latest from vendors where id = of_vendor;
  return greatest(clock_timestamp(), latest + interval '1 microsecond');
end $$;
