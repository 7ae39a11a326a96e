-- The state by which lists find a delivery that waits for its run or that ended without success, as
-- set_listed_state keeps it; null while it is in the queue, and after a success.
alter table webhook_deliveries add column listed_state text;
