-- While an index or its condition has the state, each success writes all indexes of its table.
drop index webhook_deliveries_of_subscription;
drop index webhook_deliveries_unfinished;
drop index webhook_deliveries_unsuccessful;
drop index webhook_deliveries_upcoming;
drop index webhook_deliveries_due;
drop index webhook_deliveries_samples;
drop index if exists webhook_deliveries_retries;
