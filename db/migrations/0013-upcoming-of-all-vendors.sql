-- The operators' list of upcoming changes of all vendors. Each index has the condition of the one
-- that a vendor's list uses.
create index concurrently return_requests_upcoming_starts_of_all on return_requests (
  ((received_at at time zone 'UTC') + inspection_start_ms * interval '1 millisecond'), id
) where destination = 'Supplier' and status = 'Received';
create index concurrently return_requests_upcoming_ends_of_all
  on return_requests (inspection_deadline, id)
  where destination = 'Supplier' and status = 'UnderInspection'
    and (proposed_outcome is null or not requires_staff_review);
create index concurrently webhook_deliveries_retries on webhook_deliveries (next_attempt_at, id)
  where state = 'waiting' and next_attempt_at is not null;
create index concurrently webhook_subscriptions_failing on webhook_subscriptions (failing_since, id)
  where is_active and failing_since is not null;
create index concurrently credentials_by_expiry on credentials (expires_at, id) where is_active;
-- Checksum of its first text: 2278d4557140bff201cf7b4d1207414e016c9fa47d0e596a23913f0326811571
