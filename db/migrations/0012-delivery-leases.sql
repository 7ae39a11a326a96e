-- Finds the message of a delivery batch, whose due time is the lease of the relay that makes the
-- batch's attempts.
create index outbox_of_batch on outbox (subject_id) where kind = 'webhookDeliveryBatch';

-- A batch has a row for each claim of members: a growing array would be written whole each time.
alter table webhook_delivery_batches drop constraint webhook_delivery_batches_pkey;
create index webhook_delivery_batches_by_id on webhook_delivery_batches (id);
