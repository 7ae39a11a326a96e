-- While an index has failing_since, the first success after a failure writes all indexes of the
-- subscription. The list of upcoming changes reads the subscriptions, at most 20 of a vendor.
drop index concurrently if exists webhook_subscriptions_failing;
