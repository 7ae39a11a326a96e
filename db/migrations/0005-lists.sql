-- What the lists of fulfilment groups, returns and offers share: kept totals, and stable pages of
-- changes.

-- The number of groups and returns by key, and how many of them changed in a time span: the sum of
-- a key's rows, as in offer_counts. A group without a vendor is in no list.
create table list_counts (
  list text not null check (list in ('groups', 'returns')),
  -- The nil UUID: a return of lines that the service itself supplied.
  vendor_id uuid not null,
  status text not null,
  -- The next two apply to returns only.
  is_for_supplier boolean not null default true,
  requires_staff_review boolean not null default false,
  -- The hour or day (UTC) of the latest change; `ever` starts at -infinity.
  span text not null check (span in ('ever', 'day', 'hour')),
  starts_at timestamptz not null,
  delta bigint not null,
  is_compacted boolean not null default false
);
create index list_counts_by_key on list_counts (
  list, vendor_id, span, starts_at, status, is_for_supplier, requires_staff_review
) include (delta);
create index list_counts_uncompacted on list_counts (list, vendor_id) where not is_compacted;

-- An item that changes while a client reads page after page moves to the end of the list, and every
-- item after it moves to an earlier page. So later pages show the list as the first page saw it.

-- The change time and status that an item had before it got a later change time. Kept for an hour.
create table past_changes (
  list text not null check (list in ('groups', 'returns', 'offers')),
  vendor_id uuid not null,
  id uuid not null,
  status text not null,
  changed_at timestamptz not null,
  superseded_at timestamptz not null,
  -- A list of offers also filters by these.
  vendor_sku text,
  vendor_external_id text
);
create index past_changes_of_vendor on past_changes (list, vendor_id, superseded_at);
create index past_changes_by_age on past_changes (superseded_at);

-- What the first page of a list saw: its latest change, and the total. Kept for an hour.
create table page_snapshots (
  list text not null check (list in ('groups', 'returns', 'offers')),
  vendor_id uuid not null references vendors,
  changed_since timestamptz not null,
  -- The other conditions of the request as text: a status, a range. Empty: none.
  filter text not null,
  page_size integer not null,
  -- The jti of the token that asked: two clients of a vendor may send the same request.
  token_id text not null,
  latest_change_at timestamptz not null,
  -- Null: not counted yet. A list of many offers stores its snapshot first, and counts once writers
  -- go on.
  total_count integer,
  created_at timestamptz not null default clock_timestamp(),
  primary key (list, vendor_id, changed_since, filter, page_size, token_id)
);
create index page_snapshots_by_age on page_snapshots (created_at);
