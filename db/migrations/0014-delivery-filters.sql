-- The deliveries of a subscription, newest first, whatever their state. The states by which the
-- gateway itself looks them up are the unsuccessful ones.
create index webhook_deliveries_of_subscription_newest on webhook_deliveries (subscription_id, id);
drop index webhook_deliveries_of_subscription;
create index webhook_deliveries_of_subscription on webhook_deliveries (subscription_id, state, id)
  where state <> 'succeeded';
