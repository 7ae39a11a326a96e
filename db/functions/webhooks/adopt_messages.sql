-- Moves to the queue the deliveries for which processes of an earlier version have written messages
-- that ask for first attempts, of at most `messages_max` messages. Goes with claim_first_attempts.
create or replace function adopt_messages(messages_max integer)
returns void language sql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with taken as (
    delete from outbox where id = any(array(
      select id from outbox
      where lane >= 'deliveries' and lane <= 'deliveries' and not is_low_priority
        and due_at <= now()
      order by lane, id limit messages_max for update skip locked
    )) returning subject_id, coalesce((payload ->> 'attempts')::integer, 0) as attempts
  ), asked as (
    select subject_id as id, max(attempts) as attempts from taken group by subject_id
  )
  insert into delivery_queue (subscription_id, due_at, delivery_id)
  select delivery.subscription_id, now(), delivery.id
  from asked join webhook_deliveries as delivery on delivery.id = asked.id
  where delivery.state = 'waiting' and not delivery.is_under_way
    and delivery.listed_state is null and delivery.attempts <= asked.attempts
    -- One reading of the queue for all messages.
    and delivery.id not in (select delivery_id from delivery_queue);
$$;
