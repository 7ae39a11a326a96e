-- Moves what processes of an earlier version left to the queue: the deliveries of at most
-- `messages_max` messages that ask for first attempts, and those of the batches that may start, or
-- of `of_batch`. A begun attempt of a batch counts as lost with its worker.
create or replace function adopt_deliveries(messages_max integer, of_batch uuid default null)
returns void language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  batches uuid[];
begin
  -- The statements below may read all waiting deliveries.
  if of_batch is null and not exists (
    select from unnest(array['deliveries', 'batches']) as of (lane) cross join lateral (
      select from outbox
      where lane >= of.lane and lane <= of.lane and not is_low_priority and due_at <= now()
      order by outbox.lane, id limit 1
    ) as message
  ) then
    return;
  end if;
  with taken as (
    delete from outbox where id = any(array(
      select id from outbox
      where lane >= 'deliveries' and lane <= 'deliveries' and not is_low_priority
        and due_at <= now() and of_batch is null
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
  with started as (
    delete from outbox where id = any(array(
      select id from outbox
      where lane >= 'batches' and lane <= 'batches' and not is_low_priority
        and due_at <= now() and of_batch is null
      order by lane, id limit messages_max for update skip locked
    )) returning subject_id
  )
  select array_agg(subject_id) || of_batch into batches from started;
  if coalesce(cardinality(array_remove(batches, null)), 0) = 0 then
    return;
  end if;
  with member as materialized (
    select delivery.id from webhook_deliveries as delivery
    where delivery.id in (
      select unnest(delivery_ids) from webhook_delivery_batches where id = any(batches)
    ) and delivery.state = 'waiting' and delivery.batch_id = any(batches)
    order by delivery.id for no key update
  ), freed as (
    update webhook_deliveries as delivery set batch_id = null, next_attempt_at = null
    from member where delivery.id = member.id
    returning delivery.id, delivery.subscription_id, delivery.is_under_way
  )
  insert into delivery_queue (subscription_id, due_at, delivery_id, tries, leased_until)
  select subscription_id, now(), id, is_under_way::integer, case when is_under_way then now() end
  from freed where not is_queued(subscription_id, id);
end $$;
