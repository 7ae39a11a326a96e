-- All rows that list_counts has when it is compacted.
create or replace function all_list_counts()
returns table (
  list text, vendor_id uuid, status text, is_for_supplier boolean, requires_staff_review boolean,
  span text, starts_at timestamptz, delta bigint
)
language sql stable as $$
  select list, vendor_id, status, is_for_supplier, requires_staff_review, span, starts_at, delta
  from list_counts
  union all
  select also.list, vendor_id, also.status, is_for_supplier, requires_staff_review, also.span,
    also.starts_at, also.delta
  from list_counts cross join lateral (
    values (list, status, 'day', date_trunc('day', hour, 'UTC'), delta),
      (list, status, 'hour', hour, delta), ('orders', '', 'ever', '-infinity', orders)
  ) as also (list, status, span, starts_at, delta)
  where not is_compacted and hour is not null and also.delta <> 0
$$;
