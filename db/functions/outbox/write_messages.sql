-- The only writer of the outbox: one message for each subject, with the payload at the same
-- position, due in `due_in_ms`. Returns their number. A message by which a process of an earlier
-- version asks for the first attempt of a schedule becomes a row of the queue.
create or replace function write_messages(
  of_kind text, subject_ids uuid[], payloads jsonb[], low_priority boolean default false,
  due_in_ms double precision default 0
) returns integer language sql volatile as $$
  with message as materialized (
    select subject_id, payload, of_kind = 'webhookDelivery'
      and payload ->> 'signal' in ('start', 'redeliver') as is_first_attempt
    from unnest(subject_ids, payloads) as message (subject_id, payload)
  ), queued as (
    insert into delivery_queue (subscription_id, due_at, delivery_id)
    select subscription_id, now(), subject_id from message cross join lateral (
      select subscription_id from webhook_deliveries where id = subject_id offset 0
    ) as delivery
    where is_first_attempt
    returning delivery_id
  ), written as (
    insert into outbox (kind, subject_id, payload, is_low_priority, due_at)
    select of_kind, subject_id, payload, low_priority,
      now() + due_in_ms * interval '1 millisecond'
    from message where not is_first_attempt
    returning id
  )
  select ((select count(*) from written) + (select count(*) from queued))::integer
$$;
