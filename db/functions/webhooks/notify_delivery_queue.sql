-- Wakes the workers that make first attempts, as notify_outbox does for the outbox.
create or replace function notify_delivery_queue() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', 'deliveries') from new_rows limit 1;
  return null;
end $$;
create or replace trigger notify_delivery_queue after insert on delivery_queue
  referencing new table as new_rows for each statement execute function notify_delivery_queue();
