-- Writes the rows of attempts before their requests are sent, and returns what to send: for each
-- delivery the attempt after `after_attempts`, or (null) the next one, by its own run. It begins
-- none of a delivery that a worker has claimed from the queue. A batch is of an earlier version. A
-- function, because a single statement sees only its first snapshot: after a wait for a lock it
-- must read the rows again. Every transaction locks rows of the queue, then subscriptions, then
-- deliveries, then attempts, each kind in the order of ids.
create or replace function begin_attempts(
  of_deliveries uuid[], after_attempts integer[], of_batches uuid[], lost_summary text
) returns table (
  id uuid, delivery_id uuid, attempt_number integer, subscription_id uuid, vendor_id uuid,
  event_id text, is_test boolean, url text, secret_sealed bytea, headers_sealed bytea,
  is_active boolean, body text, traceparent text
) language plpgsql volatile
-- Each statement touches a few rows by their keys. A plan from statistics of empty tables, or one
-- for each call, would cost more than the work.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  free uuid[];
begin
  -- Gives up on a row lock after 2 s; the caller then retries each item alone.
  perform set_config('lock_timeout', '2000', true);
  select array_agg(locked.id) into free
  from (
    select delivery.id
    from unnest(of_deliveries, after_attempts, of_batches) as input (delivery_id, after, batch_id)
    -- `snapshot` has the row of before the wait for the lock: a delivery whose attempts have
    -- changed since then belongs to another worker.
    join webhook_deliveries as snapshot on snapshot.id = input.delivery_id
    join webhook_deliveries as delivery on delivery.id = snapshot.id
    where delivery.state = 'waiting' and delivery.attempts = snapshot.attempts
      and not is_stale_sample(delivery.is_test, delivery.created_at)
      and delivery.batch_id is not distinct from input.batch_id
      and (
        input.after is null
        or delivery.attempts <= input.after
        or delivery.is_under_way and not exists (
          -- The requested attempt has its result, and a later one is under way.
          select from webhook_attempts as attempt
          where attempt.delivery_id = delivery.id and attempt.attempt_number > input.after
            and attempt.succeeded is not null and attempt.error_summary is distinct from lost_summary
        )
      )
    order by delivery.id
    for no key update of delivery
  ) as locked;
  -- A run of an earlier version knows no queue: the reconciliation of that version has started it.
  -- A delivery that waits for a later attempt is never in the queue.
  delete from delivery_queue where ctid = any(array(
    select queue.ctid from webhook_deliveries as delivery cross join lateral (
      select ctid from delivery_queue
      where subscription_id = delivery.subscription_id and delivery_id = delivery.id
        and leased_until is null
      for update skip locked
    ) as queue
    where delivery.id = any(free) and delivery.listed_state is null
  ));
  select array_agg(delivery.id) into free from webhook_deliveries as delivery
  where delivery.id = any(free) and (
    delivery.listed_state is not null or not is_queued(delivery.subscription_id, delivery.id)
  );
  if free is null then
    return;
  end if;
  update webhook_attempts as attempt set
    succeeded = false, sent_at = attempt.created_at, next_attempt_at = clock_timestamp(),
    error_summary = lost_summary
  from webhook_deliveries as delivery
  where delivery.id = any(free) and delivery.is_under_way and attempt.delivery_id = delivery.id
    and attempt.attempt_number = delivery.attempts and attempt.succeeded is null;
  update webhook_deliveries set attempts = attempts + 1, is_under_way = true,
    -- From here on its run has it, also if that loses this attempt.
    next_attempt_at = coalesce(next_attempt_at, clock_timestamp())
  where id = any(free);
  return query
  with begun as (
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
      event_id, next_attempt_at, created_at)
    select uuidv7(), delivery.id, delivery.subscription_id, delivery.attempts, delivery.event_type,
      delivery.event_id, clock_timestamp(), clock_timestamp()
    from webhook_deliveries as delivery where delivery.id = any(free)
    returning id, delivery_id, attempt_number
  )
  select begun.id, begun.delivery_id, begun.attempt_number, delivery.subscription_id,
    delivery.vendor_id, delivery.event_id, delivery.is_test, subscription.url, subscription.secret_sealed,
    subscription.headers_sealed,
    subscription.is_active and delivery.epoch = subscription.epoch, event.body, event.traceparent
  from begun
  join webhook_deliveries as delivery on delivery.id = begun.delivery_id
  join webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
  join webhook_events as event on event.id = delivery.event_id;
end $$;
