-- For workers of an earlier version, which claim no rows of the queue: makes messages of what waits
-- there, and claims them. Makes the deliveries members of a delivery batch, and begins the attempts
-- of the oldest `begun_max` of them. Their messages are deleted; the batch's message keeps its run
-- from starting until `lease_ms` from now, while the claiming relay makes the attempts. If that run
-- has started all the same, the members form another batch. Returns a row for each message: with the
-- members' batch, with `subscription_id` for a member that waits, and with `id` for one whose
-- attempt has begun.
create or replace function claim_first_attempts(
  of_batch uuid, claimed_max integer, begun_max integer, lease_ms double precision
) returns table (
  batch_id uuid, delivery_id uuid, subscription_id uuid, vendor_id uuid, url text, id uuid,
  attempt_number integer, event_id text, is_test boolean, secret_sealed bytea,
  headers_sealed bytea, is_active boolean,
  body text, traceparent text
) language plpgsql volatile
-- Each statement touches a few rows by their keys. A plan from statistics of empty tables, or one
-- for each call, would cost more than the work.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set lock_timeout = '2s' as $$
#variable_conflict use_column
declare
  batch uuid := of_batch;
  subjects uuid[];
  messages bigint[];
  locked_ids uuid[];
  members uuid[];
  waiting uuid[];
  lease_until timestamptz;
begin
  with taken as materialized (
    select subscription_id, due_at, delivery_id, leased_until from delivery_queue
    where leased_until <= clock_timestamp() or leased_until is null and due_at <= now()
      -- An attempt that is shown was given back unsent: a worker of this version claims it.
      and not exists (
        select from webhook_deliveries where id = delivery_id and is_under_way
      )
    order by due_at, delivery_id limit claimed_max for update skip locked
  ), lost as (
    select end_lost_attempts(array_agg(delivery_id),
      array_agg(leased_until - interval '10 seconds'),
      'worker_lost: the gateway was stopped before it knew the answer')
    from taken where leased_until is not null having count(*) > 0
  ), deleted as (
    delete from delivery_queue as queue using taken
    where queue.subscription_id = taken.subscription_id and queue.due_at = taken.due_at
      and queue.delivery_id = taken.delivery_id
    returning queue.due_at, queue.delivery_id
  )
  insert into outbox (kind, subject_id, payload)
  select 'webhookDelivery', delivery.id, jsonb_build_object('signal', 'redeliver',
    'vendorId', vendor_id, 'eventType', event_type, 'attempts', 2147483647)
  from deleted join webhook_deliveries as delivery on delivery.id = deleted.delivery_id
  where (select count(*) from lost) >= 0
  order by deleted.due_at, deleted.delivery_id;
  -- A delivery that its own run has begun stays with that run. A delivery that has ended since
  -- becomes a member, and the batch's run skips it, so that its row names an existing run. A
  -- message of a schedule whose first attempt was made asks for nothing more.
  with due as materialized (
    select id, subject_id, coalesce((payload ->> 'attempts')::integer, 0) as attempts from outbox
    where not is_low_priority and due_at <= now() and lane >= 'deliveries' and lane <= 'deliveries'
    -- As in claim_messages.
    order by lane, id limit claimed_max for update skip locked
  ), locked as materialized (
    select delivery.id,
      not delivery.is_under_way and delivery.batch_id is null
        and (delivery.state <> 'waiting' or delivery.attempts <= input.attempts) as is_free,
      delivery.state = 'waiting'
        and not is_stale_sample(delivery.is_test, delivery.created_at) as is_due
    from (select subject_id as id, max(attempts) as attempts from due group by subject_id) as input
    join webhook_deliveries as delivery on delivery.id = input.id
    order by delivery.id for no key update of delivery skip locked
  ), taken as (
    -- An array, because a join may read the whole outbox.
    delete from outbox where id = any(array(
      select id from due where subject_id in (select id from locked)
    ))
  )
  select due.subjects, due.messages, locked.ids, locked.members, locked.waiting
  into subjects, messages, locked_ids, members, waiting
  from (
    select array_agg(subject_id order by id) as subjects, array_agg(id) as messages from due
  ) as due, (
    select array_agg(id) as ids, array_agg(id order by id) filter (where is_free) as members,
      coalesce(array_agg(id order by id) filter (where is_free and is_due), '{}') as waiting
    from locked
  ) as locked;
  if subjects is null then
    return;
  end if;
  if not subjects <@ coalesce(locked_ids, '{}') then
    -- Another transaction holds these deliveries; a later claim finds how it left them.
    update outbox set due_at = clock_timestamp() + interval '200 milliseconds'
    where outbox.id = any(messages) and subject_id in (
      select id from webhook_deliveries
      where id = any(subjects) and id <> all(coalesce(locked_ids, '{}'))
    );
    -- The others are of deliveries that are gone.
    delete from outbox where id = any(messages) and due_at <= now();
  end if;
  if members is not null then
    -- Waits for a relay that starts the batch's run, and keeps others from it until the commit.
    select due_at into lease_until from outbox
    where kind = 'webhookDeliveryBatch' and subject_id = batch for no key update;
    if not found then
      if exists (select from webhook_delivery_batches where id = batch) then
        batch := uuidv7();
      end if;
      perform write_messages('webhookDeliveryBatch', array[batch],
        array[jsonb_build_object('size', cardinality(members))], false, lease_ms);
    elsif lease_until < clock_timestamp() + lease_ms / 2 * interval '1 millisecond' then
      update outbox set due_at = clock_timestamp() + lease_ms * interval '1 millisecond'
      where kind = 'webhookDeliveryBatch' and subject_id = batch;
    end if;
  end if;
  return query
  with member as (
    update webhook_deliveries set batch_id = batch,
      attempts = attempts + (id = any(waiting[:begun_max]))::integer,
      is_under_way = id = any(waiting[:begun_max])
    where id = any(members)
    returning *
  ), listed as (
    insert into webhook_delivery_batches (id, delivery_ids)
    select batch, members where members is not null
  ), begun as (
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
      event_id, next_attempt_at, created_at)
    select uuidv7(), id, subscription_id, attempts, event_type, event_id, clock_timestamp(),
      clock_timestamp()
    from member where is_under_way
    returning id, delivery_id, attempt_number, event_id
  )
  select batch, subject.id, subscription.id, delivery.vendor_id, subscription.url, begun.id,
    begun.attempt_number, begun.event_id, delivery.is_test, subscription.secret_sealed,
    subscription.headers_sealed,
    subscription.is_active and delivery.epoch = subscription.epoch, event.body, event.traceparent
  from unnest(subjects) with ordinality as subject (id, position)
  left join member as delivery
    on delivery.id = subject.id and subject.id = any(waiting)
      -- A delivery may have two messages, and gets one attempt.
      and subject.position = array_position(subjects, subject.id)
  left join webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
  left join begun on begun.delivery_id = delivery.id
  left join webhook_events as event on event.id = begun.event_id
  order by subject.position;
end $$;
