-- How many groups and returns there are, and how many of them changed since an instant, so that a list's total costs the same at
-- a thousand and at a million of them. Kept as those of the offers are (0005): every change adds lines, which wait for nobody
-- and block nobody; the sum of a key's lines is its count. A group without a vendor is in no list.

create table list_counts (
  list text not null check (list in ('groups', 'returns')),
  -- All zeros: a return of the service's own things.
  vendor_id uuid not null,
  status text not null,
  -- Of returns only: whether it goes to the supplier, and whether staff is to look at it.
  is_suppliers boolean not null default true,
  is_flagged boolean not null default false,
  -- Those whose latest change was in this hour or day (UTC); or ever, which begins at -infinity.
  span text not null check (span in ('ever', 'day', 'hour')),
  starts_at timestamptz not null,
  delta bigint not null,
  is_folded boolean not null default false
);
create index list_counts_by_key
  on list_counts (list, vendor_id, span, starts_at, status, is_suppliers, is_flagged) include (delta);

-- Lines that are yet to be folded, of these counts and of the offers'.
create index list_counts_unfolded on list_counts (list, vendor_id) where not is_folded;
alter table offer_counts add column is_folded boolean not null default false;
create index offer_counts_unfolded on offer_counts (vendor_id) where not is_folded;

-- The spans that an instant is in.
create function spans_of(at timestamptz) returns table (span text, starts_at timestamptz) language sql immutable as $$
  values ('ever', '-infinity'::timestamptz),
    ('day', date_trunc('day', at, 'UTC')),
    ('hour', date_trunc('hour', at, 'UTC'))
$$;

create function count_new_groups() returns trigger language plpgsql as $$
begin
  insert into list_counts (list, vendor_id, status, span, starts_at, delta)
  select 'groups', vendor_id, status, span, starts_at, count(*)
  from new_groups, spans_of(order_changed_at)
  where vendor_id is not null
  group by vendor_id, status, span, starts_at;
  return null;
end $$;
create trigger groups_counted after insert on fulfilment_groups
  referencing new table as new_groups for each statement execute function count_new_groups();

create function count_changed_groups() returns trigger language plpgsql as $$
begin
  insert into list_counts (list, vendor_id, status, span, starts_at, delta)
  select 'groups', vendor_id, status, span, starts_at, sum(delta)
  from (
    select vendor_id, status, order_changed_at, -1 as delta from old_groups
    union all
    select vendor_id, status, order_changed_at, 1 from new_groups
  ) as changed, spans_of(order_changed_at)
  where vendor_id is not null
  group by vendor_id, status, span, starts_at having sum(delta) <> 0;
  return null;
end $$;
create trigger groups_recounted after update on fulfilment_groups
  referencing old table as old_groups new table as new_groups
  for each statement execute function count_changed_groups();

create function count_new_returns() returns trigger language plpgsql as $$
begin
  insert into list_counts (list, vendor_id, status, is_suppliers, is_flagged, span, starts_at, delta)
  select 'returns', coalesce(vendor_id, '00000000-0000-0000-0000-000000000000'), status,
    destination = 'Supplier', requires_staff_review, span, starts_at, count(*)
  from new_returns, spans_of(changed_at)
  group by 2, 3, 4, 5, 6, 7;
  return null;
end $$;
create trigger returns_counted after insert on return_requests
  referencing new table as new_returns for each statement execute function count_new_returns();

create function count_changed_returns() returns trigger language plpgsql as $$
begin
  insert into list_counts (list, vendor_id, status, is_suppliers, is_flagged, span, starts_at, delta)
  select 'returns', coalesce(vendor_id, '00000000-0000-0000-0000-000000000000'), status,
    destination = 'Supplier', requires_staff_review, span, starts_at, sum(delta)
  from (
    select vendor_id, status, destination, requires_staff_review, changed_at, -1 as delta from old_returns
    union all
    select vendor_id, status, destination, requires_staff_review, changed_at, 1 from new_returns
  ) as changed, spans_of(changed_at)
  group by 2, 3, 4, 5, 6, 7 having sum(delta) <> 0;
  return null;
end $$;
create trigger returns_recounted after update on return_requests
  referencing old table as old_returns new table as new_returns
  for each statement execute function count_changed_returns();
