-- The state by which lists find a delivery. It has one if it ended without success, or waits
-- outside of the queue: for a later attempt, or with a batch of an earlier version. A new delivery
-- that succeeds at once never has one, so that its success writes no index.
create or replace function listed_state_of(
  state text, next_attempt_at timestamptz, batch_id uuid
) returns text language sql immutable as $$
  select case
    when state = 'succeeded' then null
    when state = 'waiting' and next_attempt_at is null and batch_id is null then null
    else state
  end
$$;
