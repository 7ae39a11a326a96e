-- How many offers there are, so that a list's total costs the same at a thousand and at a million of them.
-- Every change adds a line, which waits for nobody and blocks nobody; the sum of a key's lines is its count. Lines of one key
-- are folded into one from time to time. Offers are never deleted, and never change their vendor.

create table offer_counts (
  vendor_id uuid not null,
  status text not null,
  is_awaiting boolean not null,
  delta bigint not null
);
create index offer_counts_of_vendor on offer_counts (vendor_id, status, is_awaiting) include (delta);

create function count_new_offers() returns trigger language plpgsql as $$
begin
  insert into offer_counts (vendor_id, status, is_awaiting, delta)
  select vendor_id, status, awaiting_since is not null, count(*) from new_offers group by 1, 2, 3;
  return null;
end $$;
create trigger offers_counted after insert on offers
  referencing new table as new_offers for each statement execute function count_new_offers();

create function count_moved_offer() returns trigger language plpgsql as $$
begin
  insert into offer_counts (vendor_id, status, is_awaiting, delta) values
    (old.vendor_id, old.status, old.awaiting_since is not null, -1),
    (new.vendor_id, new.status, new.awaiting_since is not null, 1);
  return null;
end $$;
create trigger offers_recounted after update of status, awaiting_since on offers for each row
  when ((old.status, old.awaiting_since is null) is distinct from (new.status, new.awaiting_since is null))
  execute function count_moved_offer();

-- The triggers' lock keeps others from writing offers until this is in.
insert into offer_counts (vendor_id, status, is_awaiting, delta)
select vendor_id, status, awaiting_since is not null, count(*) from offers group by 1, 2, 3;
