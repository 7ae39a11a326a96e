-- Keeps attempt_counts. record_attempts counts its successes itself.
create or replace function count_attempts() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into attempt_counts (subscription_id, delta)
    select subscription_id, -count(*) from changed_rows group by subscription_id;
  else
    insert into attempt_counts (subscription_id, delta)
    select subscription_id, count(*) from changed_rows
    where succeeded is not true
      or current_setting('gateway.has_counted_successes', true) is distinct from 'on'
    group by subscription_id;
  end if;
  return null;
end $$;
create or replace trigger count_new_attempts after insert on webhook_attempts
  referencing new table as changed_rows for each statement execute function count_attempts();
create or replace trigger count_deleted_attempts after delete on webhook_attempts
  referencing old table as changed_rows for each statement execute function count_attempts();
