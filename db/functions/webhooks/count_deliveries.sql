-- Keeps delivery_counts, and the attempts in activity_counts. A new delivery waits, and waiting
-- deliveries are not counted here.
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
    ) as changed
    where state <> 'waiting'
    group by vendor_id, event_type, state having sum(delta) <> 0;
    -- A statement that records results ends the attempts of all its rows, samples apart.
    insert into activity_counts (vendor_id, kind, hour, delta)
    select owner, kind, date_trunc('hour', now(), 'UTC'), sum(attempts)
    from (
      select vendor_id, sum(ended) as ended, sum(succeeded) as succeeded
      from (
        select vendor_id, is_under_way::integer as ended, 0 as succeeded
        from old_rows where not is_test
        union all
        select vendor_id, -is_under_way::integer, (state = 'succeeded')::integer
        from new_rows where not is_test
      ) as changed
      group by vendor_id having sum(ended) > 0
    ) as recorded
    cross join lateral (
      values ('attempt.succeeded', succeeded), ('attempt.failed', ended - succeeded)
    ) as counted (kind, attempts)
    cross join activity_owners(vendor_id) as owner
    where attempts > 0
    group by 1, 2;
  end if;
  return null;
end $$;
create or replace trigger count_changed_deliveries after update on webhook_deliveries
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_deliveries();
create or replace trigger count_deleted_deliveries after delete on webhook_deliveries
  referencing old table as old_rows for each statement execute function count_deliveries();
