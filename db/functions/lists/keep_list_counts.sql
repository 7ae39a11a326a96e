-- Writes the counts of days, hours and orders from the counts that a compaction removes: one row
-- for each key instead of three for each operation. A trigger, so that a compaction of an earlier
-- version does it too.
create or replace function keep_list_counts() returns trigger language plpgsql as $$
begin
  insert into list_counts
    (list, vendor_id, status, is_for_supplier, requires_staff_review, span, starts_at, delta)
  select also.list, vendor_id, also.status, is_for_supplier, requires_staff_review, also.span,
    also.starts_at, sum(also.delta)
  -- As in all_list_counts.
  from removed cross join lateral (
    values (list, status, 'day', date_trunc('day', hour, 'UTC'), delta),
      (list, status, 'hour', hour, delta), ('orders', '', 'ever', '-infinity', orders)
  ) as also (list, status, span, starts_at, delta)
  where hour is not null
  group by 1, 2, 3, 4, 5, 6, 7 having sum(also.delta) <> 0;
  return null;
end $$;
create or replace trigger keep_list_counts after delete on list_counts
  referencing old table as removed for each statement execute function keep_list_counts();
