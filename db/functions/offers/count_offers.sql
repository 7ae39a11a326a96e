-- Keeps offer_counts, and with its hours what waits in the statistics. Offers are never deleted,
-- and never change their vendor.
create or replace function count_offers() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into offer_counts (vendor_id, status, is_awaiting, hour, delta)
    select vendor_id, status, is_awaiting,
      case when is_awaiting then date_trunc('hour', now(), 'UTC') end, count(*)
    from new_rows, lateral (select awaiting_since is not null as is_awaiting) as wait
    group by 1, 2, 3;
  else
    insert into offer_counts (vendor_id, status, is_awaiting, hour, delta)
    select old.vendor_id, status, is_awaiting,
      case when is_awaiting then date_trunc('hour', now(), 'UTC') end, amount
    from (values
      (old.status, old.awaiting_since is not null, -1),
      (new.status, new.awaiting_since is not null, 1)
    ) as counted (status, is_awaiting, amount);
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
