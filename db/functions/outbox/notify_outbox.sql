-- Wakes the relays. The trigger also fires for a statement that inserts no row, and a notification
-- makes commits wait for each other, so it notifies only if there are rows. The payload names the
-- lane. The API hands over `commands` too: it listens to a channel of its own, so that deliveries
-- do not wake it.
create or replace function notify_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', lane),
    case when lane = 'commands' then pg_notify('outbox_commands', '') end
  from (
    select distinct new_rows.lane from new_rows where new_rows.lane <> 'batches'
  ) as lanes;
  return null;
end $$;
create or replace trigger notify_outbox after insert on outbox
  referencing new table as new_rows for each statement execute function notify_outbox();
