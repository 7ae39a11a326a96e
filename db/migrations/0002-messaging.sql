-- What crosses to Temporal and to the vendors' receivers.

-- Messages to workflows, written in the transaction of the change that they tell of. The relay starts or signals the
-- workflow and only then deletes the row. The kinds and their payloads: domain/messages.ts.
create table outbox (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('offerReview', 'webhookDelivery')),
  subject_id uuid not null,
  -- Ids, state names and times only.
  payload jsonb not null,
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index outbox_due on outbox (due_at, id);

-- Messages that the relay cannot read, kept for an operator: docs/operating.md.
create table outbox_set_aside (
  id bigint primary key,
  kind text not null,
  subject_id uuid not null,
  payload jsonb not null,
  may_wait boolean not null,
  created_at timestamptz not null,
  set_aside_at timestamptz not null default now(),
  reason text not null
);

create function notify_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', '');
  return null;
end $$;
create trigger outbox_inserted after insert on outbox for each statement execute function notify_outbox();

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
  last_delivery_at timestamptz,
  last_delivery_status text check (last_delivery_status in ('Success', 'Failed', 'DeadLettered')),
  created_at timestamptz not null default now()
);
create index webhook_subscriptions_of_vendor on webhook_subscriptions (vendor_id, created_at desc, id desc);

create table webhook_events (
  -- evt_ and a UUIDv7: the eventId, the webhook-id header and the idempotencyKey.
  id text primary key,
  vendor_id uuid not null references vendors,
  event_type text not null,
  -- The exact bytes that are sent and signed; text, because jsonb would not keep the order of keys.
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
  state text not null default 'waiting' check (state in ('waiting', 'succeeded', 'deadLettered', 'cancelled')),
  created_at timestamptz not null default now(),
  unique (event_id, subscription_id)
);
create index webhook_deliveries_of_subscription on webhook_deliveries (subscription_id, id);
create index webhook_deliveries_of_vendor on webhook_deliveries (vendor_id, id);
create index webhook_deliveries_unfinished on webhook_deliveries (state, id) where state <> 'succeeded';

create table webhook_attempts (
  id uuid primary key,
  delivery_id uuid not null references webhook_deliveries on delete cascade,
  subscription_id uuid not null,
  attempt_number integer not null check (attempt_number >= 1),
  event_type text not null,
  event_id text not null,
  http_status integer,
  sent_at timestamptz,
  -- Null until the result is recorded: the row exists before the request goes out.
  succeeded boolean,
  error_summary text,
  dead_lettered_at timestamptz,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null default now(),
  unique (delivery_id, attempt_number)
);
create index webhook_attempts_newest on webhook_attempts (subscription_id, created_at desc, id desc);
