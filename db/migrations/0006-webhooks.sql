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
  check (expired_through between 0 and latest)
) with (fillfactor = 50);

-- One event to one subscription.
create table webhook_deliveries (
  id uuid primary key,
  event_id text not null references webhook_events,
  subscription_id uuid not null references webhook_subscriptions on delete cascade,
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
  unique (event_id, subscription_id)
) with (fillfactor = 60);
create index webhook_deliveries_of_subscription_newest on webhook_deliveries (subscription_id, id);
-- The gateway itself looks for deliveries in these states only.
create index webhook_deliveries_of_subscription on webhook_deliveries (subscription_id, state, id)
  where state <> 'succeeded';
create index webhook_deliveries_of_vendor on webhook_deliveries (vendor_id, id);
create index webhook_deliveries_unfinished on webhook_deliveries (state, id)
  where state <> 'succeeded';
-- Few of a vendor's deliveries end without success.
create index webhook_deliveries_unsuccessful on webhook_deliveries (vendor_id, state, id)
  where state in ('deadLettered', 'cancelled', 'failed');
create index webhook_deliveries_upcoming
  on webhook_deliveries (subscription_id, next_attempt_at, id)
  where state = 'waiting' and next_attempt_at is not null;
-- Each waiting delivery by the time of its next attempt, or of its creation before the first one.
create index webhook_deliveries_due on webhook_deliveries ((coalesce(next_attempt_at, created_at)))
  where state = 'waiting';
create index webhook_deliveries_samples on webhook_deliveries (created_at)
  where state = 'waiting' and is_test;

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

create table delivery_counts (
  vendor_id uuid not null,
  event_type text not null,
  state text not null,
  delta bigint not null,
  is_compacted boolean not null default false
);
