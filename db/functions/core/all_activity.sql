-- All rows that activity_counts has when the other counts are compacted. The first condition is as in
-- db/lists/compact-counters.ts.
create or replace function all_activity()
returns table (vendor_id uuid, kind text, hour timestamptz, waited_step smallint, delta bigint)
language sql stable as $$
  select vendor_id, kind, hour, waited_step, delta from activity_counts
  where is_compacted in (true, false)
  union all
  select owner, 'offer.waiting', hour, -1::smallint, delta
  from offer_counts cross join activity_owners(vendor_id) as owner
  where not is_compacted and hour is not null
  union all
  select owner, 'attempt.succeeded', hour, -1::smallint, delta
  from delivery_counts cross join activity_owners(vendor_id) as owner
  where not is_compacted and hour is not null
  union all
  select owner, kind, hour, waited_step, delta
  from audit_counts cross join activity_owners(vendor_id) as owner
  where not is_compacted and hour is not null
$$;
