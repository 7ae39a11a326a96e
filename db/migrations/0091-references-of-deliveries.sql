-- The transaction that inserts a delivery has read its subscription, which is not deleted. The
-- retention deletes a subscription days after the vendor did, once no delivery has it. The
-- reference to the vendor stays: by it, the reset of a sandbox waits for a recovery. The lock
-- timeout is as in 0056.
set local lock_timeout = '300ms';
alter table webhook_deliveries drop constraint if exists webhook_deliveries_subscription_id_fkey;
