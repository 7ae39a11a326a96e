-- Writes the counts of days and hours from the counts that a compaction removes: one row for each
-- key instead of two for each operation. A trigger, so that a compaction of an earlier version does
-- it too.
create or replace function keep_list_counts() returns trigger language plpgsql as $$
begin
  insert into list_counts
    (list, vendor_id, status, is_for_supplier, requires_staff_review, span, starts_at, delta)
  select list, vendor_id, status, is_for_supplier, requires_staff_review, spans.span,
    spans.starts_at, sum(delta)
  from removed cross join lateral (
    values ('day', date_trunc('day', hour, 'UTC')), ('hour', hour)
  ) as spans (span, starts_at)
  where hour is not null
  group by 1, 2, 3, 4, 5, 6, 7 having sum(delta) <> 0;
  return null;
end $$;
create or replace trigger keep_list_counts after delete on list_counts
  referencing old table as removed for each statement execute function keep_list_counts();
