-- All rows that activity_counts has when the other counts are compacted.
create or replace function all_activity()
returns table (vendor_id uuid, kind text, hour timestamptz, delta bigint)
language sql stable as $$
  select vendor_id, kind, hour, delta from activity_counts
  union all
  select owner, 'offer.waiting', hour, delta
  from offer_counts cross join activity_owners(vendor_id) as owner
  where not is_compacted and hour is not null
  union all
  select owner, kind, hour, delta
  from audit_counts cross join activity_owners(vendor_id) as owner
  where not is_compacted and hour is not null
$$;
