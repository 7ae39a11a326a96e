-- A delivery that succeeds at its first attempt is in none of these.

create index concurrently webhook_deliveries_listed on webhook_deliveries (listed_state, id)
  where listed_state is not null;
create index concurrently webhook_deliveries_listed_of_vendor
  on webhook_deliveries (vendor_id, listed_state, id) where listed_state is not null;
create index concurrently webhook_deliveries_listed_of_subscription
  on webhook_deliveries (subscription_id, listed_state, id) where listed_state is not null;
create index concurrently webhook_deliveries_by_next_attempt
  on webhook_deliveries (next_attempt_at, id) where listed_state = 'waiting';
create index concurrently webhook_deliveries_by_next_attempt_of_subscription
  on webhook_deliveries (subscription_id, next_attempt_at, id) where listed_state = 'waiting';
create index concurrently webhook_deliveries_listed_samples on webhook_deliveries (created_at)
  where listed_state = 'waiting' and is_test;
