-- Claims deliveries that wait for the first attempt of their schedule, makes them members of a
-- delivery batch, and begins the attempts of the oldest `begun_max` of them. Their messages are
-- deleted; the batch's message keeps its run from starting until `lease_ms` from now, while the
-- claiming relay makes the attempts. Returns a row for each message: with `subscription_id` for a
-- member that waits, and with `id` for one whose attempt has begun.
create or replace function claim_first_attempts(
  of_batch uuid, claimed_max integer, begun_max integer, lease_ms double precision
) returns table (
  delivery_id uuid, subscription_id uuid, vendor_id uuid, url text, id uuid,
  attempt_number integer, event_id text, is_test boolean, secret_sealed bytea, is_active boolean,
  body text
) language plpgsql volatile as $$
#variable_conflict use_column
declare
  messages bigint[];
  subjects uuid[];
  schedules integer[];
  locked_ids uuid[];
  members uuid[];
  waiting uuid[];
begin
  perform set_config('lock_timeout', '2000', true);
  with due as materialized (
    select id, subject_id, coalesce((payload ->> 'attempts')::integer, 0) as attempts from outbox
    where not is_low_priority and due_at <= now() and kind = 'webhookDelivery'
      and coalesce(payload ->> 'signal', '') in ('start', 'redeliver')
    order by id limit claimed_max for update skip locked
  )
  select array_agg(id), array_agg(subject_id order by id), array_agg(attempts order by id)
  into messages, subjects, schedules from due;
  if subjects is null then
    return;
  end if;
  -- A delivery that its own run has begun stays with that run. A delivery that has ended since
  -- becomes a member, and the batch's run skips it, so that its row names an existing run. A message
  -- of a schedule whose first attempt was made asks for nothing more.
  with locked as materialized (
    select delivery.id,
      not delivery.is_under_way and delivery.batch_id is null
        and (delivery.state <> 'waiting' or delivery.attempts <= given.attempts) as is_free,
      -- The caller of an older test-fire has left; the reconciliation cancels it.
      delivery.state = 'waiting' and not (
        delivery.is_test and delivery.created_at < clock_timestamp() - interval '90 seconds'
      ) as is_due
    from (
      select id, max(attempts) as attempts from unnest(subjects, schedules) as message (id, attempts)
      group by id
    ) as given join webhook_deliveries as delivery on delivery.id = given.id
    order by delivery.id for no key update of delivery skip locked
  )
  select array_agg(id order by id) filter (where is_free),
    coalesce(array_agg(id order by id) filter (where is_free and is_due), '{}'),
    coalesce(array_agg(id), '{}')
  into members, waiting, locked_ids from locked;
  if cardinality(locked_ids) < cardinality(subjects) then
    -- Another transaction holds these deliveries; a later claim finds how it left them.
    update outbox set due_at = clock_timestamp() + interval '200 milliseconds'
    where outbox.id = any(messages) and subject_id in (
      select id from webhook_deliveries where id = any(subjects) and id <> all(locked_ids)
    );
  end if;
  delete from outbox where id = any(messages) and due_at <= now();
  if members is not null then
    update webhook_deliveries set batch_id = of_batch,
      attempts = attempts + (id = any(waiting[:begun_max]))::integer,
      is_under_way = id = any(waiting[:begun_max])
    where id = any(members);
    insert into webhook_delivery_batches as batch (id, delivery_ids) values (of_batch, members)
    on conflict (id) do update set delivery_ids = batch.delivery_ids || excluded.delivery_ids;
    update outbox set due_at = clock_timestamp() + lease_ms * interval '1 millisecond'
    where kind = 'webhookDeliveryBatch' and subject_id = of_batch;
    if not found then
      perform write_messages('webhookDeliveryBatch', array[of_batch],
        array[jsonb_build_object('size', cardinality(members))], false, lease_ms);
    end if;
  end if;
  return query
  with begun as (
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
      event_id, next_attempt_at, created_at)
    select uuidv7(), id, subscription_id, attempts, event_type, event_id, clock_timestamp(),
      clock_timestamp()
    from webhook_deliveries where id = any(waiting[:begun_max])
    returning id, delivery_id, attempt_number, event_id
  )
  select subject.id, subscription.id, delivery.vendor_id, subscription.url, begun.id,
    begun.attempt_number, begun.event_id, delivery.is_test, subscription.secret_sealed,
    subscription.is_active and delivery.epoch = subscription.epoch, event.body
  from unnest(subjects) with ordinality as subject (id, place)
  left join webhook_deliveries as delivery
    on delivery.id = subject.id and subject.id = any(waiting)
      -- A delivery may have two messages, and gets one attempt.
      and subject.place = array_position(subjects, subject.id)
  left join webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
  left join begun on begun.delivery_id = delivery.id
  left join webhook_events as event on event.id = begun.event_id
  order by subject.place;
end $$;
