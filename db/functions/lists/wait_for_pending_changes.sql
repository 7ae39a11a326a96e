-- Waits until every transaction that has a change time of this vendor has ended. A read that begins
-- afterwards sees every change up to then.
create or replace function wait_for_pending_changes(of_vendor uuid) returns void
language sql volatile as $$
  select pg_advisory_xact_lock_shared(hashtextextended(of_vendor::text, 2));
$$;
