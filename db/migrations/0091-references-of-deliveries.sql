-- A delivery has the vendor of its event, and the transaction that inserts it has read its
-- subscription, which is not deleted. The retention deletes a subscription days after the vendor did,
-- once no delivery has it. The lock timeout is as in 0056.
set local lock_timeout = '300ms';
alter table webhook_deliveries drop constraint if exists webhook_deliveries_subscription_id_fkey;
alter table webhook_deliveries drop constraint if exists webhook_deliveries_vendor_id_fkey;
