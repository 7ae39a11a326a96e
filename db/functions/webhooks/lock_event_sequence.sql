-- Waits for the transactions that emit events of this vendor, and keeps others from emitting one
-- until this transaction ends.
create or replace function lock_event_sequence(of_vendor uuid) returns void
language sql volatile as $$
  -- As in emit_events.
  select set_config('idle_in_transaction_session_timeout', '5000', true);
  insert into event_sequences as sequences (vendor_id, latest) values (of_vendor, 0)
  on conflict (vendor_id) do update set latest = sequences.latest;
$$;
