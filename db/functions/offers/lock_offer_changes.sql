-- Keeps changes of this vendor's offers from getting a time until the transaction ends, and waits
-- for those that have one. The next statement sees every change up to then, and every later change
-- sees what this transaction has stored.
create or replace function lock_offer_changes(of_vendor uuid) returns void
language sql volatile as $$
  select pg_advisory_xact_lock(hashtextextended(of_vendor::text, 3));
$$;
