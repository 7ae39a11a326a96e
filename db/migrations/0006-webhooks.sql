-- Webhook subscriptions, the events, and their deliveries with each attempt.
-- A fillfactor leaves room on the page for a row's next version, so that an update that changes no
-- indexed column touches no index.

create table webhook_subscriptions (
  id uuid primary key,
  vendor_id uuid not null references vendors,
  url text not null,
  event_types text[] not null check (
    cardinality(event_types) > 0
    and event_types <@ array[
      'vendor.order.assigned', 'vendor.offer.review-decision', 'vendor.order.changed',
      'vendor.offer.agreement-switched', 'vendor.return.requested', 'vendor.return.received',
      'vendor.return.inspection-started', 'vendor.return.inspection-closing',
      'vendor.return.decided', 'vendor.return.refund-released', 'vendor.webhook.disabled',
      'vendor.webhook.delivery-dead-lettered'
    ]
  ),
  -- AES-256-GCM: 12 bytes nonce, 16 bytes tag, ciphertext.
  secret_sealed bytea not null,
  is_active boolean not null default true,
  inactive_reason text,
  -- Counts the deactivations. A waiting delivery of an earlier epoch has ended, whether or not its
  -- row says so yet, and stays ended when the subscription becomes active again.
  epoch integer not null default 0,
  -- Every waiting delivery of an earlier epoch has ended up to this epoch.
  settled_epoch integer not null default 0,
  -- An attempt that began before this instant does not speak for the present URL.
  url_changed_at timestamptz,
  -- The first failed attempt, and the number of dead letters, since the last success or activation.
  failing_since timestamptz,
  dead_letters integer not null default 0,
  last_delivery_at timestamptz,
  last_delivery_status text check (last_delivery_status in ('Success', 'Failed', 'DeadLettered')),
  -- The vendor no longer sees a deleted subscription; retention removes the row.
  deleted_at timestamptz,
  -- Headers that the vendor adds to the requests: their names in lower case, and the sealed values
  -- as JSON by name.
  header_names text[] not null default '{}',
  headers_sealed bytea,
  created_at timestamptz not null default now()
) with (fillfactor = 50);
create index webhook_subscriptions_of_vendor
  on webhook_subscriptions (vendor_id, created_at desc, id desc);
-- Retention finds deleted subscriptions, which are few.
create index webhook_subscriptions_deleted on webhook_subscriptions (deleted_at)
  where deleted_at is not null;
create index webhook_subscriptions_unsettled on webhook_subscriptions (id)
  where settled_epoch < epoch;
create index webhook_subscriptions_inactive on webhook_subscriptions (id) where not is_active;

create table webhook_events (
  -- evt_ and a UUIDv7: the eventId, the webhook-id header and the idempotencyKey.
  id text primary key,
  vendor_id uuid not null references vendors,
  event_type text not null,
  -- The exact bytes that are sent and signed: text, because jsonb does not keep the order of keys.
  body text not null check (octet_length(body) <= 65536),
  occurred_at timestamptz not null,
  -- The vendor's events have numbers without gaps, and stay for the event feed although no
  -- subscription receives them. Samples have no number.
  sequence bigint,
  -- The number of deliveries that the event began with; null where it is not known.
  receivers integer,
  -- The trace of the request that made the event (W3C Trace Context), for the spans of its
  -- deliveries; null without tracing.
  traceparent text
);
create unique index webhook_events_in_sequence on webhook_events (vendor_id, sequence)
  where sequence is not null;

create table event_sequences (
  vendor_id uuid primary key references vendors,
  -- The number of the vendor's latest event. A transaction that emits events locks the row until
  -- its end, so numbers become visible in their order.
  latest bigint not null,
  -- Every event after this number is stored; the retention has deleted earlier ones.
  expired_through bigint not null default 0,
  -- The instant of the latest event: a later number never has an earlier one.
  latest_at timestamptz,
  check (expired_through between 0 and latest)
) with (fillfactor = 50);

-- One event to one subscription.
create table webhook_deliveries (
  id uuid primary key,
  event_id text not null references webhook_events,
  -- References no row: the transaction that inserts a delivery has read its subscription, and the
  -- retention deletes a subscription only once no delivery has it. By the next reference, the reset
  -- of a sandbox waits for a recovery.
  subscription_id uuid not null,
  vendor_id uuid not null references vendors,
  event_type text not null,
  -- A sample that the vendor requested: one attempt, never dead-lettered (D50, D66).
  is_test boolean not null default false,
  state text not null default 'waiting'
    check (state in ('waiting', 'succeeded', 'deadLettered', 'cancelled', 'failed')),
  -- The number of the latest attempt, and whether its result is missing. A writer that begins or
  -- ends an attempt locks this row, so two workers never make the same attempt.
  attempts integer not null default 0,
  is_under_way boolean not null default false,
  -- The delivery batch that makes the first attempt; null when the delivery has a run of its own.
  batch_id uuid,
  -- The subscription's epoch at the delivery's creation or latest redelivery.
  epoch integer not null default 0,
  dead_lettered_at timestamptz,
  -- When the next attempt of a waiting delivery is due after a failed one; null while no retry
  -- waits, so that a delivery that succeeds at once touches no further index.
  next_attempt_at timestamptz,
  created_at timestamptz not null default now(),
  -- The state by which lists find a delivery that waits for its run or that ended without success, as
  -- set_listed_state keeps it; null while it is in the queue, and after a success.
  listed_state text,
  unique (event_id, subscription_id)
) with (fillfactor = 50);
create index webhook_deliveries_of_subscription_newest on webhook_deliveries (subscription_id, id);
create index webhook_deliveries_of_vendor on webhook_deliveries (vendor_id, id);
-- A delivery that succeeds at its first attempt is in none of the next ones. While an index or its
-- condition has the state, each success writes all indexes of its table.
create index webhook_deliveries_listed on webhook_deliveries (listed_state, id)
  where listed_state is not null;
create index webhook_deliveries_listed_of_vendor
  on webhook_deliveries (vendor_id, listed_state, id) where listed_state is not null;
create index webhook_deliveries_listed_of_subscription
  on webhook_deliveries (subscription_id, listed_state, id) where listed_state is not null;
create index webhook_deliveries_by_next_attempt
  on webhook_deliveries (next_attempt_at, id) where listed_state = 'waiting';
create index webhook_deliveries_by_next_attempt_of_subscription
  on webhook_deliveries (subscription_id, next_attempt_at, id) where listed_state = 'waiting';
create index webhook_deliveries_listed_samples on webhook_deliveries (created_at)
  where listed_state = 'waiting' and is_test;

-- What waits for the first attempt of a retry schedule: of new deliveries, samples, redelivered and
-- recovered ones. The primary key is the only index, and a claim changes no column of it.
create table delivery_queue (
  subscription_id uuid not null,
  due_at timestamptz not null,
  delivery_id uuid not null,
  -- The number of claims. A result counts only under the number of its claim.
  tries integer not null default 0,
  -- Until when the worker that claimed the row has it; null while nobody has it. A claim after this
  -- instant finds an attempt that was lost with its worker.
  leased_until timestamptz,
  primary key (subscription_id, due_at, delivery_id)
) with (
  fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000
);

create table webhook_attempts (
  id uuid primary key,
  delivery_id uuid not null references webhook_deliveries on delete cascade,
  subscription_id uuid not null,
  attempt_number integer not null check (attempt_number >= 1),
  event_type text not null,
  event_id text not null,
  http_status integer,
  sent_at timestamptz,
  -- Null until the result is recorded: the row is written before the request is sent.
  succeeded boolean,
  error_summary text,
  dead_lettered_at timestamptz,
  next_attempt_at timestamptz not null,
  -- From the start of the attempt to the result of its request, in milliseconds.
  duration_ms integer,
  created_at timestamptz not null default now(),
  -- When the next attempt is due by the vendor's clock. The real instant comes nearer with each move
  -- of that clock; null while the clock has not moved since the attempt.
  due_by_clock timestamptz,
  unique (delivery_id, attempt_number)
) with (fillfactor = 60);
create index webhook_attempts_newest
  on webhook_attempts (subscription_id, created_at desc, id desc);
-- A subscription's attempts of one event type, newest first.
create index webhook_attempts_of_type
  on webhook_attempts (subscription_id, event_type, created_at desc, id desc);

-- What the receivers answered, apart from the attempts: most lists need it not.
create table webhook_answers (
  attempt_id uuid primary key references webhook_attempts on delete cascade,
  -- Of the request, the headers that the attempt's row does not give; custom values are hidden.
  request_headers jsonb not null,
  headers jsonb not null,
  -- At most 4,096 characters, without what looks like a secret; null where it is no text.
  body text check (octet_length(body) <= 16384),
  -- As far as the gateway read it.
  body_bytes integer not null
);

-- Deliveries whose first attempts one run makes. A batch has a row for each claim of members: a
-- growing array would be written whole each time.
create table webhook_delivery_batches (
  id uuid not null,
  delivery_ids uuid[] not null,
  created_at timestamptz not null default now()
);
create index webhook_delivery_batches_by_id on webhook_delivery_batches (id);

-- Kept totals, as in offer_counts: the attempts of a subscription, and the deliveries that have
-- ended in each state. Waiting deliveries are counted from their index.
create table attempt_counts (
  subscription_id uuid not null,
  delta bigint not null,
  is_compacted boolean not null default false
);
create index attempt_counts_in_order on attempt_counts
  (is_compacted, subscription_id) include (delta);

create table delivery_counts (
  vendor_id uuid not null,
  event_type text not null,
  state text not null,
  delta bigint not null,
  is_compacted boolean not null default false,
  -- Of successes, until the compaction: their hour, and the attempts of one subscription that
  -- succeeded without a row before. The compaction writes activity_counts and attempt_counts from
  -- them. Null in other rows.
  hour timestamptz,
  subscription_id uuid,
  attempts integer
);
create index delivery_counts_in_order on delivery_counts
  (is_compacted, state, vendor_id, event_type) include (delta);
