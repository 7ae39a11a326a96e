-- Keeps a vendor's agreement from being switched until the transaction ends, and returns its epoch.
-- A new snapshot reads the epoch after the wait: the function is plpgsql and volatile.
create or replace function lock_agreement_shared(of_vendor uuid) returns integer
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(of_vendor::text, 1));
  return (select agreement_epoch from vendors where id = of_vendor);
end $$;
