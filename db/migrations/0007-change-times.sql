-- Change times that a vendor can poll by (D38). A time that is merely read from a clock is not enough: of two transactions the one
-- with the earlier time may commit later, and whoever polled in between has looked past it.

-- The change time of what a transaction writes for these vendors. Times of one vendor become visible in their order: whoever has
-- one keeps the others out until it has committed, so it is the last thing that a transaction waits for. Each is later than
-- every earlier one, also when the clock was set back.
create function next_change_time(of_vendors uuid[]) returns timestamptz language plpgsql volatile as $$
declare
  vendor_key bigint;
  latest timestamptz;
begin
  -- A process that is frozen right here must not keep a vendor's reads waiting.
  perform set_config('idle_in_transaction_session_timeout', '5000', true);
  -- In one order for all, so that two who want the same vendors do not wait for each other.
  for vendor_key in
    select distinct hashtextextended(vendor_id::text, 2) from unnest(of_vendors) as vendor_id
    where vendor_id is not null order by 1
  loop
    perform pg_advisory_xact_lock(vendor_key);
  end loop;
  -- Read after the wait, by a snapshot of its own.
  select max(changed_at) into latest from (
    select (
      select max(order_changed_at) from fulfilment_groups where fulfilment_groups.vendor_id = vendor.id
    ) from unnest(of_vendors) as vendor(id)
    union all
    select (
      select max(changed_at) from return_requests where return_requests.vendor_id = vendor.id
    ) from unnest(of_vendors) as vendor(id)
  ) as of_each(changed_at);
  return greatest(clock_timestamp(), latest + interval '1 microsecond');
end $$;

-- Gives an order's groups the time of its latest change, before the change itself is written: `new_vendor` is one that it brings
-- in. Each group has a microsecond of its own, so that a page may end between two of them, and the next one begin there.
create function touch_order(of_order uuid, new_vendor uuid) returns void language plpgsql volatile as $$
declare
  changed_at timestamptz;
begin
  changed_at := next_change_time(array(
    select vendor_id from fulfilment_groups where order_id = of_order union select new_vendor
  ));
  update fulfilment_groups set order_changed_at = changed_at + ranked.place * interval '1 microsecond'
  from (
    select id, row_number() over (order by id) - 1 as place from fulfilment_groups where order_id = of_order
  ) as ranked
  where fulfilment_groups.id = ranked.id;
end $$;

-- Waits until every change that has a time is in. A read that begins afterwards misses none that is older than it.
create function wait_for_pending_changes(of_vendor uuid) returns void language sql volatile as $$
  select pg_advisory_xact_lock_shared(hashtextextended(of_vendor::text, 2));
$$;

-- A client that turns the pages of a list of changes must not lose what slides to an earlier page while it does: a thing that
-- changes again leaves its place for the end of the list. So later pages show the list as it stood at the first one.

-- The places that were left: a thing's change time and status until it got a later time. Kept for an hour.
create table past_changes (
  list text not null check (list in ('groups', 'returns')),
  vendor_id uuid not null,
  id uuid not null,
  status text not null,
  changed_at timestamptz not null,
  until timestamptz not null
);
create index past_changes_of_vendor on past_changes (list, vendor_id, until);
create index past_changes_by_age on past_changes (until);

create function keep_past_groups() returns trigger language plpgsql as $$
begin
  insert into past_changes (list, vendor_id, id, status, changed_at, until)
  select 'groups', was.vendor_id, was.id, was.status, was.order_changed_at, now_is.order_changed_at
  from old_groups as was join new_groups as now_is on now_is.id = was.id
  where was.vendor_id is not null and was.order_changed_at < now_is.order_changed_at;
  return null;
end $$;
create trigger groups_kept after update on fulfilment_groups
  referencing old table as old_groups new table as new_groups
  for each statement execute function keep_past_groups();

create function keep_past_returns() returns trigger language plpgsql as $$
begin
  insert into past_changes (list, vendor_id, id, status, changed_at, until)
  select 'returns', was.vendor_id, was.id, was.status, was.changed_at, now_is.changed_at
  from old_returns as was join new_returns as now_is on now_is.id = was.id
  where was.destination = 'Supplier' and was.changed_at < now_is.changed_at;
  return null;
end $$;
create trigger returns_kept after update on return_requests
  referencing old table as old_returns new table as new_returns
  for each statement execute function keep_past_returns();

-- Up to which change the first page of a list saw, and how many there were. An hour later the client has turned its pages.
create table page_snapshots (
  list text not null check (list in ('groups', 'returns')),
  vendor_id uuid not null references vendors,
  changed_since timestamptz not null,
  -- What else was asked for: a status, a range. Empty: nothing.
  filter text not null,
  page_size integer not null,
  -- Whose pages they are: the token's jti. Two clients of a vendor may ask alike.
  token_id text not null,
  up_to timestamptz not null,
  total_count integer not null,
  begun_at timestamptz not null default clock_timestamp(),
  primary key (list, vendor_id, changed_since, filter, page_size, token_id)
);
create index change_walks_by_age on page_snapshots (begun_at);
