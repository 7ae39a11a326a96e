-- Moves to activity_counts what the counts say that a compaction removes: one row for each vendor,
-- kind and hour instead of one for each operation. Rows of audit_counts have their kind and step,
-- and those of another table the kind of its trigger and no step. A trigger, so that a compaction
-- of an earlier version does it too.
create or replace function keep_activity() returns trigger language plpgsql as $$
begin
  insert into activity_counts (vendor_id, kind, hour, waited_step, delta)
  select owner, coalesce(tg_argv[0], line ->> 'kind'), hour,
    coalesce((line ->> 'waited_step')::smallint, -1), sum(delta)
  from removed cross join to_jsonb(removed) as line
  cross join activity_owners(vendor_id) as owner
  where hour is not null
  group by 1, 2, 3, 4 having sum(delta) <> 0;
  return null;
end $$;
create or replace trigger keep_activity_of_offers after delete on offer_counts
  referencing old table as removed for each statement
  execute function keep_activity('offer.waiting');
create or replace trigger keep_activity_of_deliveries after delete on delivery_counts
  referencing old table as removed for each statement
  execute function keep_activity('attempt.succeeded');
create or replace trigger keep_activity_of_audit after delete on audit_counts
  referencing old table as removed for each statement execute function keep_activity();
