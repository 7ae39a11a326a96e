-- Room on the page for the next version of each row, so that a success writes no index.
alter table webhook_deliveries set (fillfactor = 50);
alter table delivery_queue set (fillfactor = 50);
