-- Keeps offer_counts, and what waits in activity_counts. Offers are never deleted, and never change
-- their vendor.
create or replace function count_offers() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into offer_counts (vendor_id, status, is_awaiting, delta)
    select vendor_id, status, awaiting_since is not null, count(*) from new_rows group by 1, 2, 3;
    insert into activity_counts (vendor_id, kind, hour, delta)
    select owner, 'offer.waiting', date_trunc('hour', now(), 'UTC'), count(*)
    from new_rows cross join activity_owners(vendor_id) as owner
    where awaiting_since is not null group by 1;
  else
    insert into offer_counts (vendor_id, status, is_awaiting, delta) values
      (old.vendor_id, old.status, old.awaiting_since is not null, -1),
      (new.vendor_id, new.status, new.awaiting_since is not null, 1);
    if (old.awaiting_since is null) is distinct from (new.awaiting_since is null) then
      insert into activity_counts (vendor_id, kind, hour, delta)
      select owner, 'offer.waiting', date_trunc('hour', now(), 'UTC'),
        case when new.awaiting_since is null then -1 else 1 end
      from activity_owners(new.vendor_id) as owner;
    end if;
  end if;
  return null;
end $$;
create or replace trigger count_new_offers after insert on offers
  referencing new table as new_rows for each statement execute function count_offers();
create or replace trigger count_changed_offers after update of status, awaiting_since on offers
  for each row
  when (
    (old.status, old.awaiting_since is null) is distinct from
    (new.status, new.awaiting_since is null)
  )
  execute function count_offers();
