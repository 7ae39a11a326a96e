-- Waits for the transactions that emit events of this vendor, and keeps others from emitting one
-- until this transaction ends.
create or replace function lock_event_sequence(of_vendor uuid) returns void
language sql volatile as $$
  insert into event_sequences as sequences (vendor_id, latest) values (of_vendor, 0)
  on conflict (vendor_id) do update set latest = sequences.latest;
$$;
