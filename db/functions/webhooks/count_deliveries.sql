-- Keeps delivery_counts, and with its hours the successes of the statistics, which samples are not.
-- Waiting deliveries are not counted here. No statement moves some deliveries to a success and
-- others away from one, so a count of successes above 0 is of new ones.
create or replace function count_deliveries() returns trigger language plpgsql as $$
declare
  -- A result that an earlier text of record_attempts stores is counted there.
  this_hour constant timestamptz := case current_setting('gateway.counts_successes', true)
    when 'on' then date_trunc('hour', now(), 'UTC') end;
begin
  if tg_op = 'DELETE' then
    insert into delivery_counts (vendor_id, event_type, state, delta)
    select vendor_id, event_type, state, -count(*) from old_rows
    where state <> 'waiting' group by vendor_id, event_type, state;
  else
    insert into delivery_counts (vendor_id, event_type, state, hour, delta)
    select vendor_id, event_type, state,
      case when state = 'succeeded' and not is_test and sum(delta) > 0 then this_hour end,
      sum(delta)
    from (
      select vendor_id, event_type, state, is_test, -1 as delta from old_rows
      union all
      select vendor_id, event_type, state, is_test, 1 from new_rows
    ) as changed
    where state <> 'waiting'
    group by vendor_id, event_type, state, is_test having sum(delta) <> 0;
  end if;
  return null;
end $$;
create or replace trigger count_changed_deliveries after update on webhook_deliveries
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_deliveries();
create or replace trigger count_deleted_deliveries after delete on webhook_deliveries
  referencing old table as old_rows for each statement execute function count_deliveries();
