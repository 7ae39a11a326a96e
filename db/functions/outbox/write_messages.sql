-- The only writer of the outbox: one message for each subject, with the payload at the same
-- position, due in `due_in_ms`. Returns their number.
create or replace function write_messages(
  of_kind text, subject_ids uuid[], payloads jsonb[], low_priority boolean default false,
  due_in_ms double precision default 0
) returns integer language sql volatile as $$
  with written as (
    insert into outbox (kind, subject_id, payload, is_low_priority, due_at)
    select of_kind, subject_id, payload, low_priority,
      now() + due_in_ms * interval '1 millisecond'
    from unnest(subject_ids, payloads) as message (subject_id, payload)
    returning id
  )
  select count(*)::integer from written
$$;
