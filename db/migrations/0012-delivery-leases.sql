-- Finds the message of a delivery batch, whose due time is the lease of the relay that makes the
-- batch's attempts.
create index outbox_of_batch on outbox (subject_id) where kind = 'webhookDeliveryBatch';
