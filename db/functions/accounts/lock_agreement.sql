-- Locks a vendor's agreement for a switch until the transaction ends. Writers of offers hold
-- lock_agreement_shared, so a switch waits for the writers before it, and later writers wait for
-- it. An advisory lock has a fair queue; with row locks, a busy vendor's writers would delay a
-- switch for seconds.
create or replace function lock_agreement(of_vendor uuid) returns void
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(of_vendor::text, 1));
end $$;
