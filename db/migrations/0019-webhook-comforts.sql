-- What will happen by itself (GET /api/v1/upcoming). When the next attempt of a waiting delivery is
-- due after a failed one; null while no retry waits, so that a delivery that succeeds at once
-- touches no further index.
alter table webhook_deliveries add column next_attempt_at timestamptz;
update webhook_deliveries as delivery set next_attempt_at = attempt.next_attempt_at
from webhook_attempts as attempt
where delivery.state = 'waiting' and attempt.delivery_id = delivery.id
  and attempt.attempt_number = delivery.attempts and attempt.succeeded = false
  -- These end a retry schedule: the delivery was redelivered.
  and attempt.dead_lettered_at is null and attempt.error_summary <> 'subscription_inactive';
create index webhook_deliveries_upcoming on webhook_deliveries (subscription_id, next_attempt_at, id)
  where state = 'waiting' and next_attempt_at is not null;

-- `at time zone` keeps the sum immutable, as an index needs it.
create index return_requests_upcoming_starts on return_requests (
  vendor_id, ((received_at at time zone 'UTC') + inspection_start_ms * interval '1 millisecond'), id
) where destination = 'Supplier' and status = 'Received';
create index return_requests_upcoming_ends on return_requests (vendor_id, inspection_deadline, id)
  where destination = 'Supplier' and status = 'UnderInspection'
    and (proposed_outcome is null or not requires_staff_review);

-- A subscription's attempts of one event type, newest first.
create index webhook_attempts_of_type
  on webhook_attempts (subscription_id, event_type, created_at desc, id desc);

-- Headers that the vendor adds to the requests: their names in lower case, and the sealed values as
-- JSON by name.
alter table webhook_subscriptions
  add column header_names text[] not null default '{}',
  add column headers_sealed bytea;

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

-- From the start of the attempt to the result of its request, in milliseconds.
alter table webhook_attempts add column duration_ms integer;
