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

-- The only writer of the outbox: one message for each subject, with the payload at the same position. Returns their number.
create function write_messages(
  of_kind text, subject_ids uuid[], payloads jsonb[], message_may_wait boolean default false
) returns integer language sql volatile as $$
  with written as (
    insert into outbox (kind, subject_id, payload, may_wait)
    select of_kind, subject_id, payload, message_may_wait
    from unnest(subject_ids, payloads) as message (subject_id, payload)
    returning id
  )
  select count(*)::integer from written
$$;
