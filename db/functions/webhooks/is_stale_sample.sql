-- Whether the caller of a test-fire has left: its sample must not be sent any more. The
-- reconciliation cancels it.
create or replace function is_stale_sample(is_test boolean, created_at timestamptz)
returns boolean language sql volatile as $$
  select is_test and created_at < clock_timestamp() - interval '90 seconds'
$$;
