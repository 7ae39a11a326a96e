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
  select list, vendor_id, status, is_for_supplier, requires_staff_review, spans.span,
    spans.starts_at, delta
  from list_counts cross join lateral (
    values ('day', date_trunc('day', hour, 'UTC')), ('hour', hour)
  ) as spans (span, starts_at)
  where not is_compacted and hour is not null
$$;
