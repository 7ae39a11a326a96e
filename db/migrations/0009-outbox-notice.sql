-- The relay is woken where a message came in, and only there: a statement that adds none fires the trigger all the same, and
-- a notification makes commits wait for each other.
create function notify_outbox_of_messages() returns trigger language plpgsql as $$
begin
  if exists (select from messages) then
    perform pg_notify('outbox', '');
  end if;
  return null;
end $$;
drop trigger outbox_inserted on outbox;
create trigger outbox_inserted after insert on outbox
  referencing new table as messages for each statement execute function notify_outbox_of_messages();
drop function notify_outbox();
