-- What the lists of fulfilment groups, returns and offers share: kept totals, and stable pages of
-- changes. Then the statistics.

-- The number of groups and returns by key, and how many of them changed in a time span: the sum of
-- a key's rows, as in offer_counts. A group without a vendor is in no list. `orders`, without a
-- status, is the number of orders with a group of the vendor.
create table list_counts (
  list text not null check (list in ('groups', 'returns', 'orders')),
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
  -- A later page of a list without a first page in the last hour stores a snapshot for its own
  -- request; no other request reads it.
  is_of_one_request boolean not null default false,
  primary key (list, vendor_id, changed_since, filter, page_size, token_id)
);
create index page_snapshots_by_age on page_snapshots (created_at);

-- What happened by hour, for the operators' statistics and summaries: the sum of a key's rows, as in
-- offer_counts. Each count has a row of its vendor and one of the service, so that a total over all
-- vendors costs no more than that of one. Kept for 91 days.
create table activity_counts (
  -- The nil UUID: all vendors together.
  vendor_id uuid not null,
  kind text not null check (kind in (
    'attempt.succeeded', 'attempt.failed', 'offer.approve', 'offer.reject', 'offer.returnToReview',
    'offer.applyPrice', 'offer.discardPrice', 'return.requested', 'return.decided',
    -- The change of the number of offers that wait for a reviewer.
    'offer.waiting'
  )),
  -- Its begin, in UTC.
  hour timestamptz not null,
  delta bigint not null,
  is_compacted boolean not null default false
);
create index activity_counts_by_key on activity_counts (vendor_id, kind, hour) include (delta);
-- For the retention. An expression, so that no read of a vendor's hours takes this index.
create index activity_counts_by_age on activity_counts ((hour at time zone 'UTC'));
