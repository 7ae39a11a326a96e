-- Keeps attempt_counts. record_attempts counts its successes itself.
create or replace function count_attempts() returns trigger language plpgsql as $$
begin
  insert into attempt_counts (subscription_id, delta)
  select subscription_id, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed_rows
  where tg_op = 'DELETE' or succeeded is not true
    or current_setting('gateway.has_counted_successes', true) is distinct from 'on'
  group by subscription_id;
  return null;
end $$;
create or replace trigger count_new_attempts after insert on webhook_attempts
  referencing new table as changed_rows for each statement execute function count_attempts();
create or replace trigger count_deleted_attempts after delete on webhook_attempts
  referencing old table as changed_rows for each statement execute function count_attempts();
