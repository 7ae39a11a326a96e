-- Keeps the parts of list_counts and activity_counts that are about returns, which only the reset
-- of a sandbox deletes. Hours are in real time, and come from the row, so that the doctor can
-- compare them.
create or replace function count_returns() returns trigger language plpgsql as $$
declare
  no_vendor constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  if tg_op = 'INSERT' then
    insert into list_counts
      (list, vendor_id, status, is_for_supplier, requires_staff_review, span, starts_at, hour, delta)
    select 'returns', coalesce(vendor_id, no_vendor), status, destination = 'Supplier',
      requires_staff_review, 'ever', '-infinity', date_trunc('hour', changed_at, 'UTC'), count(*)
    from new_rows
    group by 2, 3, 4, 5, 8;
    insert into activity_counts (vendor_id, kind, hour, delta)
    select owner, 'return.requested',
      date_trunc('hour', requested_at - coalesce(clock_offset, '0'), 'UTC') as hour, count(*)
    from new_rows left join vendors on vendors.id = vendor_id
    cross join activity_owners(vendor_id) as owner
    group by owner, hour;
  else
    insert into list_counts
      (list, vendor_id, status, is_for_supplier, requires_staff_review, span, starts_at, hour, delta)
    select 'returns', coalesce(vendor_id, no_vendor), status, destination = 'Supplier',
      requires_staff_review, 'ever', '-infinity', date_trunc('hour', changed_at, 'UTC'), sum(delta)
    from (
      select vendor_id, status, destination, requires_staff_review, changed_at, -1 as delta
      from old_rows
      union all
      select vendor_id, status, destination, requires_staff_review, changed_at, 1 from new_rows
    ) as changed
    group by 2, 3, 4, 5, 8 having sum(delta) <> 0;
    insert into activity_counts (vendor_id, kind, hour, delta)
    select owner, 'return.decided', date_trunc(
        'hour', new_rows.inspection_decided_at - coalesce(clock_offset, '0'), 'UTC'
      ) as hour, count(*)
    from new_rows join old_rows on old_rows.id = new_rows.id
    left join vendors on vendors.id = new_rows.vendor_id
    cross join activity_owners(new_rows.vendor_id) as owner
    where new_rows.outcome is not null and old_rows.outcome is null
    group by owner, hour;
  end if;
  return null;
end $$;
create or replace trigger count_new_returns after insert on return_requests
  referencing new table as new_rows for each statement execute function count_returns();
create or replace trigger count_changed_returns after update on return_requests
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_returns();
