-- Keeps the parts of list_counts and activity_counts that are about returns, which are never
-- deleted.
create or replace function count_returns() returns trigger language plpgsql as $$
declare
  no_vendor constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  if tg_op = 'INSERT' then
    insert into list_counts
      (list, vendor_id, status, is_for_supplier, requires_staff_review, span, starts_at, delta)
    select 'returns', coalesce(vendor_id, no_vendor), status, destination = 'Supplier',
      requires_staff_review, span, starts_at, count(*)
    from new_rows, time_spans(changed_at)
    group by 2, 3, 4, 5, 6, 7;
    insert into activity_counts (vendor_id, kind, hour, delta)
    select owner, 'return.requested', date_trunc('hour', now(), 'UTC'), count(*)
    from new_rows cross join activity_owners(vendor_id) as owner group by 1;
  else
    insert into list_counts
      (list, vendor_id, status, is_for_supplier, requires_staff_review, span, starts_at, delta)
    select 'returns', coalesce(vendor_id, no_vendor), status, destination = 'Supplier',
      requires_staff_review, span, starts_at, sum(delta)
    from (
      select vendor_id, status, destination, requires_staff_review, changed_at, -1 as delta
      from old_rows
      union all
      select vendor_id, status, destination, requires_staff_review, changed_at, 1 from new_rows
    ) as changed, time_spans(changed_at)
    group by 2, 3, 4, 5, 6, 7 having sum(delta) <> 0;
    insert into activity_counts (vendor_id, kind, hour, delta)
    select owner, 'return.decided', date_trunc('hour', now(), 'UTC'), sum(decided)
    from (
      select vendor_id, -(outcome is not null)::integer as decided from old_rows
      union all
      select vendor_id, (outcome is not null)::integer from new_rows
    ) as changed cross join activity_owners(vendor_id) as owner
    group by 1 having sum(decided) > 0;
  end if;
  return null;
end $$;
create or replace trigger count_new_returns after insert on return_requests
  referencing new table as new_rows for each statement execute function count_returns();
create or replace trigger count_changed_returns after update on return_requests
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_returns();
