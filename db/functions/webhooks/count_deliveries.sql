-- Keeps delivery_counts. Waiting deliveries are not counted here. record_attempts counts its
-- successes itself.
create or replace function count_deliveries() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into delivery_counts (vendor_id, event_type, state, delta)
    select vendor_id, event_type, state, -count(*) from old_rows
    where state <> 'waiting' group by vendor_id, event_type, state;
  else
    insert into delivery_counts (vendor_id, event_type, state, delta)
    select vendor_id, event_type, state, sum(delta)
    from (
      select vendor_id, event_type, state, -1 as delta from old_rows
      union all
      select vendor_id, event_type, state, 1 from new_rows
      where state <> 'succeeded'
        or current_setting('gateway.has_counted_successes', true) is distinct from 'on'
    ) as changed
    where state <> 'waiting'
    group by vendor_id, event_type, state having sum(delta) <> 0;
  end if;
  return null;
end $$;
create or replace trigger count_changed_deliveries after update on webhook_deliveries
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_deliveries();
create or replace trigger count_deleted_deliveries after delete on webhook_deliveries
  referencing old table as old_rows for each statement execute function count_deliveries();
