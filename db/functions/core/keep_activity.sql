-- Moves to activity_counts what the counts say that a compaction removes: one row for each vendor,
-- kind and hour instead of one for each operation. Rows of audit_counts have their kind, and those
-- of another table the kind of its trigger. A trigger, so that a compaction of an earlier version
-- does it too.
create or replace function keep_activity() returns trigger language plpgsql as $$
begin
  if tg_nargs > 0 then
    insert into activity_counts (vendor_id, kind, hour, delta)
    select owner, tg_argv[0], hour, sum(delta)
    from removed cross join activity_owners(vendor_id) as owner
    where hour is not null
    group by owner, hour having sum(delta) <> 0;
  else
    insert into activity_counts (vendor_id, kind, hour, waited_step, delta)
    select owner, kind, hour, waited_step, sum(delta)
    from removed cross join activity_owners(vendor_id) as owner
    where hour is not null
    group by 1, 2, 3, 4;
  end if;
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
