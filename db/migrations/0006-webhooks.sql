-- Webhook subscriptions, the events, and their deliveries with each attempt.
-- A fillfactor leaves room on the page for a row's next version, so that an update that changes no
-- indexed column touches no index.

create table webhook_subscriptions (
  id uuid primary key,
  vendor_id uuid not null references vendors,
  url text not null,
  event_types text[] not null check (
    cardinality(event_types) > 0
    and event_types <@ array['vendor.order.assigned', 'vendor.offer.review-decision']
  ),
  -- AES-256-GCM: 12 bytes nonce, 16 bytes tag, ciphertext.
  secret_sealed bytea not null,
  is_active boolean not null default true,
  inactive_reason text,
  -- Counts the deactivations. A waiting delivery of an earlier epoch has ended, whether or not its
  -- row says so yet, and stays ended when the subscription becomes active again.
  epoch integer not null default 0,
  -- An attempt that began before this instant does not speak for the present URL.
  url_changed_at timestamptz,
  -- The first failed attempt, and the number of dead letters, since the last success or activation.
  failing_since timestamptz,
  dead_letters integer not null default 0,
  last_delivery_at timestamptz,
  last_delivery_status text check (last_delivery_status in ('Success', 'Failed', 'DeadLettered')),
  -- The vendor no longer sees a deleted subscription; retention removes the row.
  deleted_at timestamptz,
  created_at timestamptz not null default now()
) with (fillfactor = 50);
create index webhook_subscriptions_of_vendor
  on webhook_subscriptions (vendor_id, created_at desc, id desc);

create table webhook_events (
  -- evt_ and a UUIDv7: the eventId, the webhook-id header and the idempotencyKey.
  id text primary key,
  vendor_id uuid not null references vendors,
  event_type text not null,
  -- The exact bytes that are sent and signed: text, because jsonb does not keep the order of keys.
  body text not null check (octet_length(body) <= 65536),
  occurred_at timestamptz not null
);

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
  created_at timestamptz not null default now(),
  unique (event_id, subscription_id)
) with (fillfactor = 60);
create index webhook_deliveries_of_subscription on webhook_deliveries (subscription_id, state, id);
create index webhook_deliveries_of_vendor on webhook_deliveries (vendor_id, id);
create index webhook_deliveries_unfinished on webhook_deliveries (state, id)
  where state <> 'succeeded';
-- Few of a vendor's deliveries end without success.
create index webhook_deliveries_unsuccessful on webhook_deliveries (vendor_id, state, id)
  where state in ('deadLettered', 'cancelled', 'failed');

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
  created_at timestamptz not null default now(),
  unique (delivery_id, attempt_number)
) with (fillfactor = 60);
create index webhook_attempts_newest on webhook_attempts (subscription_id, created_at desc, id desc);

-- Deliveries whose first attempts one run makes.
create table webhook_delivery_batches (
  id uuid primary key,
  delivery_ids uuid[] not null,
  created_at timestamptz not null default now()
);

-- Kept totals, as in offer_counts: the attempts of a subscription, and the deliveries that have
-- ended in each state. Waiting deliveries are counted from their index.
create table attempt_counts (
  subscription_id uuid not null,
  delta bigint not null,
  is_compacted boolean not null default false
);
create index attempt_counts_by_key on attempt_counts (subscription_id) include (delta);
create index attempt_counts_uncompacted on attempt_counts (subscription_id) where not is_compacted;

create table delivery_counts (
  vendor_id uuid not null,
  event_type text not null,
  state text not null,
  delta bigint not null,
  is_compacted boolean not null default false
);
create index delivery_counts_by_key on delivery_counts (state, vendor_id, event_type)
  include (delta);
create index delivery_counts_uncompacted on delivery_counts (vendor_id) where not is_compacted;
