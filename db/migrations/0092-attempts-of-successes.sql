-- A count of successes that has not been compacted also counts the attempts of one subscription
-- that succeeded without a row before. The compaction moves them to attempt_counts. Null in other
-- rows.
alter table delivery_counts add column subscription_id uuid, add column attempts integer;
