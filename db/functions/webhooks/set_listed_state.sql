-- Keeps listed_state of webhook_deliveries. A trigger, so that processes of an earlier version keep
-- it too.
create or replace function set_listed_state() returns trigger language plpgsql as $$
begin
  new.listed_state := listed_state_of(new.state, new.next_attempt_at, new.batch_id);
  return new;
end $$;
create or replace trigger set_listed_state before insert or update on webhook_deliveries
  -- No function: each statement would parse and plan it again. All other rows have none.
  for each row when (
    new.listed_state is not null or new.next_attempt_at is not null or new.batch_id is not null
    or new.state not in ('waiting', 'succeeded')
  ) execute function set_listed_state();
