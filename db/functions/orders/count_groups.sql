-- Keeps the part of list_counts that is about fulfilment groups, which are never deleted.
create or replace function count_groups() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_counts (list, vendor_id, status, span, starts_at, delta)
    select 'groups', vendor_id, status, span, starts_at, count(*)
    from new_rows, time_spans(order_changed_at)
    where vendor_id is not null
    group by vendor_id, status, span, starts_at;
  else
    insert into list_counts (list, vendor_id, status, span, starts_at, delta)
    select 'groups', vendor_id, status, span, starts_at, sum(delta)
    from (
      select vendor_id, status, order_changed_at, -1 as delta from old_rows
      union all
      select vendor_id, status, order_changed_at, 1 from new_rows
    ) as changed, time_spans(order_changed_at)
    where vendor_id is not null
    group by vendor_id, status, span, starts_at having sum(delta) <> 0;
  end if;
  return null;
end $$;
create or replace trigger count_new_groups after insert on fulfilment_groups
  referencing new table as new_rows for each statement execute function count_groups();
create or replace trigger count_changed_groups after update on fulfilment_groups
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_groups();
