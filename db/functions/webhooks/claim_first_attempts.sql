-- For workers of the version before the delivery queue: claims deliveries that wait in the queue,
-- makes them members of a delivery batch, and begins their attempts, at most `begun_max`. The
-- batch's message keeps its run from starting until `lease_ms` from now, while the claiming relay
-- makes the attempts. If that run has started all the same, the members form another batch.
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
  claimed uuid[];
  lost uuid[];
  lost_at timestamptz[];
  members uuid[];
  lease_until timestamptz;
begin
  perform adopt_messages(claimed_max);
  with taken as materialized (
    select subscription_id, due_at, delivery_id, leased_until from delivery_queue
    where (leased_until <= clock_timestamp() or leased_until is null and due_at <= now())
      and not exists (
        select from webhook_deliveries
        -- A worker of this version claims an attempt that is shown and was given back unsent, and
        -- the reconciliation cancels an old sample.
        where id = delivery_id and (is_under_way or is_stale_sample(is_test, created_at))
      )
    order by due_at, delivery_id limit least(claimed_max, begun_max) for update skip locked
  ), deleted as (
    delete from delivery_queue as queue using taken
    where queue.subscription_id = taken.subscription_id and queue.due_at = taken.due_at
      and queue.delivery_id = taken.delivery_id
  )
  select array_agg(delivery_id), array_agg(delivery_id) filter (where leased_until is not null),
    array_agg(leased_until - interval '10 seconds') filter (where leased_until is not null)
  into claimed, lost, lost_at from taken;
  if lost is not null then
    perform end_lost_attempts(lost, lost_at,
      'worker_lost: the gateway was stopped before it knew the answer');
  end if;
  select array_agg(id order by id) into members from (
    select id from webhook_deliveries where id = any(claimed) and state = 'waiting'
    order by id for no key update
  ) as waiting;
  if members is null then
    return;
  end if;
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
  insert into webhook_delivery_batches (id, delivery_ids) values (batch, members);
  update webhook_deliveries set batch_id = batch, attempts = attempts + 1, is_under_way = true
  where id = any(members);
  return query
  with begun as (
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
      event_id, next_attempt_at, created_at)
    select uuidv7(), id, subscription_id, attempts, event_type, event_id, clock_timestamp(),
      clock_timestamp()
    from webhook_deliveries where id = any(members)
    returning *
  )
  select batch, delivery.id, subscription.id, delivery.vendor_id, subscription.url, begun.id,
    begun.attempt_number, event.id, delivery.is_test, subscription.secret_sealed,
    subscription.headers_sealed,
    subscription.is_active and delivery.epoch = subscription.epoch, event.body, event.traceparent
  from begun
  join webhook_deliveries as delivery on delivery.id = begun.delivery_id
  join webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
  join webhook_events as event on event.id = delivery.event_id
  order by delivery.id;
end $$;
