-- Deliveries in a burst share their first attempts; subscriptions can be changed, switched and deleted.

-- Rows that are written twice or more leave room on their page for the newer version, so that no index is touched where none of its
-- columns changes.
alter table webhook_subscriptions set (fillfactor = 50);
alter table webhook_deliveries set (fillfactor = 60);
alter table webhook_attempts set (fillfactor = 60);

alter table webhook_subscriptions
  -- A subscription that was deleted answers nobody; its history goes when it is past its retention.
  add column deleted_at timestamptz,
  -- The first failed attempt, and the deliveries given up, since the last attempt that succeeded or the last activation.
  add column failing_since timestamptz,
  add column dead_letters integer not null default 0,
  -- What the URL that it has now answered, and not one that it had before, speaks for it.
  add column url_changed_at timestamptz,
  -- Counts its deactivations. A delivery of an earlier epoch has ended, whether or not its row says so yet, and stays so when the
  -- subscription is active again.
  add column epoch integer not null default 0;

alter table webhook_deliveries
  -- A sample that the vendor asked for: one attempt, and it is never dead-lettered (D50, D66).
  add column is_test boolean not null default false,
  -- The number of its latest attempt, and whether its result is awaited. Whoever begins or ends an attempt holds this row, so of
  -- two who would make one at the same time the second finds it taken.
  add column attempts integer not null default 0,
  add column is_under_way boolean not null default false,
  -- The run that makes its first attempts together with others; null when it has a run of its own.
  add column batch_id uuid,
  -- The subscription's when it was made, or redelivered.
  add column epoch integer not null default 0,
  add column dead_lettered_at timestamptz;
alter table webhook_deliveries drop constraint webhook_deliveries_state_check;
alter table webhook_deliveries add constraint webhook_deliveries_state_check
  check (state in ('waiting', 'succeeded', 'deadLettered', 'cancelled', 'failed'));
-- Those that have ended follow in 0012, where nobody has to wait for it.
update webhook_deliveries set attempts = latest.attempt_number, is_under_way = latest.succeeded is null
from (
  select distinct on (attempt.delivery_id) attempt.delivery_id, attempt.attempt_number, attempt.succeeded
  from webhook_attempts as attempt join webhook_deliveries as delivery on delivery.id = attempt.delivery_id
  where delivery.state = 'waiting' order by attempt.delivery_id, attempt.attempt_number desc
) as latest
where latest.delivery_id = webhook_deliveries.id;

-- What waits at a subscription, and its dead letters.
drop index webhook_deliveries_of_subscription;
create index webhook_deliveries_of_subscription on webhook_deliveries (subscription_id, state, id);
-- What went wrong with a vendor's, which is rare among what went well.
create index webhook_deliveries_gone_wrong on webhook_deliveries (vendor_id, state, id)
  where state in ('deadLettered', 'cancelled', 'failed');

-- Deliveries whose first attempts are made together, by one run.
create table webhook_delivery_batches (
  id uuid primary key,
  delivery_ids uuid[] not null,
  created_at timestamptz not null default now()
);

alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (kind in ('offerReview', 'webhookDelivery', 'webhookDeliveryBatch', 'agreementSwitch', 'returnInspection'));

-- What may wait is not in the way of those who look for what may not.
drop index outbox_due;
create index outbox_due on outbox (may_wait, due_at, id);

-- How many attempts a subscription has, and how many deliveries have ended how, kept as the other totals are (0005, 0008): every
-- change adds lines, the sum of a key's lines is its count. What still waits is not in there: it is counted when asked for.
create table attempt_counts (
  subscription_id uuid not null,
  delta bigint not null,
  is_folded boolean not null default false
);
create index attempt_counts_by_key on attempt_counts (subscription_id) include (delta);
create index attempt_counts_unfolded on attempt_counts (subscription_id) where not is_folded;
insert into attempt_counts select subscription_id, count(*), true from webhook_attempts group by subscription_id;

create table delivery_counts (
  vendor_id uuid not null,
  event_type text not null,
  state text not null,
  delta bigint not null,
  is_folded boolean not null default false
);
create index delivery_counts_by_key on delivery_counts (state, vendor_id, event_type) include (delta);
create index delivery_counts_unfolded on delivery_counts (vendor_id) where not is_folded;
insert into delivery_counts
select vendor_id, event_type, state, count(*), true from webhook_deliveries
where state <> 'waiting' group by vendor_id, event_type, state;

create function count_new_attempts() returns trigger language plpgsql as $$
begin
  insert into attempt_counts (subscription_id, delta)
  select subscription_id, count(*) from new_attempts group by subscription_id;
  return null;
end $$;
create trigger attempts_counted after insert on webhook_attempts
  referencing new table as new_attempts for each statement execute function count_new_attempts();

create function count_gone_attempts() returns trigger language plpgsql as $$
begin
  insert into attempt_counts (subscription_id, delta)
  select subscription_id, -count(*) from old_attempts group by subscription_id;
  return null;
end $$;
create trigger attempts_uncounted after delete on webhook_attempts
  referencing old table as old_attempts for each statement execute function count_gone_attempts();

create function count_ended_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_counts (vendor_id, event_type, state, delta)
  select vendor_id, event_type, state, sum(delta)
  from (
    select vendor_id, event_type, state, -1 as delta from old_deliveries
    union all
    select vendor_id, event_type, state, 1 from new_deliveries
  ) as changed
  where state <> 'waiting'
  group by vendor_id, event_type, state having sum(delta) <> 0;
  return null;
end $$;
create trigger deliveries_counted after update on webhook_deliveries
  referencing old table as old_deliveries new table as new_deliveries
  for each statement execute function count_ended_deliveries();

create function count_gone_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_counts (vendor_id, event_type, state, delta)
  select vendor_id, event_type, state, -count(*) from old_deliveries
  where state <> 'waiting' group by vendor_id, event_type, state;
  return null;
end $$;
create trigger deliveries_uncounted after delete on webhook_deliveries
  referencing old table as old_deliveries for each statement execute function count_gone_deliveries();

-- Attempts are begun and ended by functions, since within one statement everything is seen as it was when the statement began: one
-- that had to wait for a lock must look again before it writes. Each takes its locks in this order, which is everybody's:
-- subscriptions, deliveries, attempts, those of a kind by their ids.

-- Writes the rows of attempts before their requests go out, and answers what to send: for each delivery the attempt after
-- `after_attempts`, by the dispatch it is part of or (null) by a run of its own.
create function begin_attempts(
  of_deliveries uuid[], after_attempts integer[], of_dispatches uuid[], lost_summary text
) returns table (
  id uuid, delivery_id uuid, attempt_number integer, subscription_id uuid, event_id text, is_test boolean, url text,
  secret_sealed bytea, is_active boolean, body text
) language plpgsql volatile as $$
#variable_conflict use_column
declare
  free uuid[];
begin
  -- Whoever stands still with one of these rows keeps the others of this call waiting no longer; each is then tried alone.
  perform set_config('lock_timeout', '2000', true);
  select array_agg(locked.id) into free
  from (
    select delivery.id
    from unnest(of_deliveries, after_attempts, of_dispatches) as given (delivery_id, after, batch_id)
    -- As it was before the wait for the lock: one that was begun or ended meanwhile is somebody else's.
    join webhook_deliveries as before on before.id = given.delivery_id
    join webhook_deliveries as delivery on delivery.id = before.id
    where delivery.state = 'waiting' and delivery.attempts = before.attempts
      and delivery.batch_id is not distinct from given.batch_id
      and (
        delivery.attempts <= given.after
        or delivery.is_under_way and not exists (
          -- What is asked for has its result, and a later one is under way.
          select from webhook_attempts as attempt
          where attempt.delivery_id = delivery.id and attempt.attempt_number > given.after
            and attempt.succeeded is not null and attempt.error_summary is distinct from lost_summary
        )
      )
    order by delivery.id
    for no key update of delivery
  ) as locked;
  if free is null then
    return;
  end if;
  update webhook_attempts as attempt set
    succeeded = false, sent_at = attempt.created_at, next_attempt_at = clock_timestamp(), error_summary = lost_summary
  from webhook_deliveries as delivery
  where delivery.id = any(free) and delivery.is_under_way and attempt.delivery_id = delivery.id
    and attempt.attempt_number = delivery.attempts and attempt.succeeded is null;
  update webhook_deliveries set attempts = attempts + 1, is_under_way = true where id = any(free);
  return query
  with begun as (
    insert into webhook_attempts
      (id, delivery_id, subscription_id, attempt_number, event_type, event_id, next_attempt_at, created_at)
    select uuidv7(), delivery.id, delivery.subscription_id, delivery.attempts, delivery.event_type, delivery.event_id,
      clock_timestamp(), clock_timestamp()
    from webhook_deliveries as delivery where delivery.id = any(free)
    returning id, delivery_id, attempt_number
  )
  select begun.id, begun.delivery_id, begun.attempt_number, delivery.subscription_id, delivery.event_id,
    delivery.is_test, subscription.url, subscription.secret_sealed, subscription.is_active and delivery.epoch = subscription.epoch, event.body
  from begun
  join webhook_deliveries as delivery on delivery.id = begun.delivery_id
  join webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
  join webhook_events as event on event.id = delivery.event_id;
end $$;

-- Records results, each once, with the deliveries' states and the subscriptions' last-delivery fields; what fails in a dispatch goes
-- on as a run of its own, by a message. Answers the deliveries it moved.
create function record_attempts(of_results jsonb, failing_ms double precision, dead_letters_max integer) returns table (
  delivery_id uuid, attempt_number integer, state text, subscription_id uuid, is_current boolean,
  has_failed_too_long boolean
) language plpgsql volatile as $$
#variable_conflict use_column
declare
  ids constant uuid[] := array(select (given ->> 'delivery_id')::uuid from jsonb_array_elements(of_results) as given);
begin
  perform set_config('lock_timeout', '2000', true);
  perform from webhook_subscriptions
  where id in (select subscription_id from webhook_deliveries where webhook_deliveries.id = any(ids))
  order by id for no key update;
  perform from webhook_deliveries where id = any(ids) order by id for no key update;
  return query
  with given as materialized (
    select * from jsonb_to_recordset(of_results) as given (delivery_id uuid, attempt_number integer,
      sent_at timestamptz, succeeded boolean, http_status integer, error_summary text, next_attempt_at timestamptz,
      state text, at timestamptz)
  ), recorded as (
    update webhook_attempts as attempt set
      http_status = given.http_status, sent_at = given.sent_at, succeeded = given.succeeded,
      error_summary = given.error_summary,
      next_attempt_at = case when given.state = 'waiting' and not subscription.takes_it
        then coalesce(given.sent_at, given.at) else given.next_attempt_at end,
      dead_lettered_at = case when given.state = 'deadLettered' then given.at end
    from given
    join webhook_deliveries as delivery on delivery.id = given.delivery_id
    cross join lateral (
      select is_active and epoch = delivery.epoch as takes_it, url_changed_at
      from webhook_subscriptions where webhook_subscriptions.id = delivery.subscription_id
    ) as subscription
    where attempt.delivery_id = given.delivery_id and attempt.attempt_number = given.attempt_number
      and attempt.succeeded is null
    returning attempt.delivery_id, attempt.attempt_number, attempt.subscription_id, attempt.next_attempt_at,
      given.at, given.sent_at, given.succeeded,
      given.state = 'waiting' and not subscription.takes_it as is_ended,
      case when given.state = 'waiting' and not subscription.takes_it then 'cancelled' else given.state end as state,
      subscription.takes_it
        and coalesce(attempt.created_at > subscription.url_changed_at, true) as is_current
  ), moved as (
    update webhook_deliveries as delivery set
      is_under_way = false, state = recorded.state, attempts = delivery.attempts + recorded.is_ended::integer,
      batch_id = case when recorded.state <> 'waiting' then delivery.batch_id end,
      dead_lettered_at = case when recorded.state = 'deadLettered' then recorded.at end
    from recorded
    where delivery.id = recorded.delivery_id and delivery.attempts = recorded.attempt_number
    returning delivery.id, delivery.vendor_id, delivery.subscription_id, delivery.event_type, delivery.event_id,
      delivery.attempts, delivery.state, old.batch_id is not null as was_dispatched, recorded.attempt_number,
      recorded.next_attempt_at, recorded.is_ended, recorded.is_current
  ), ended as (
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type, event_id, succeeded,
      error_summary, next_attempt_at, created_at)
    select uuidv7(), id, subscription_id, attempts, event_type, event_id, false, 'subscription_inactive',
      clock_timestamp(), clock_timestamp()
    from moved where is_ended
  ), retries as (
    select write_messages('webhookDelivery', array_agg(id), array_agg(jsonb_build_object(
      'vendorId', vendor_id, 'eventType', event_type,
      'signal', 'retry', 'attempts', attempts, 'tries', 1, 'dueAt', next_attempt_at
    ))) as written
    from moved where state = 'waiting' and was_dispatched
  ), latest as (
    select subscription_id, max(at) as at, bool_or(succeeded) as has_success, min(at) as first_at,
      (array_agg(case when succeeded then 'Success' when state = 'deadLettered' then 'DeadLettered' else 'Failed' end
        order by at desc))[1] as status,
      count(*) filter (where state = 'deadLettered') as dead_letters
    from recorded where sent_at is not null group by subscription_id
  ), touched as (
    update webhook_subscriptions as subscription set
      last_delivery_at = greatest(last_delivery_at, latest.at),
      last_delivery_status = case when last_delivery_at > latest.at then last_delivery_status else latest.status end,
      failing_since = case
        when latest.has_success then null
        -- A failure from before the success that is known already says nothing.
        when last_delivery_at > latest.at and last_delivery_status = 'Success' then failing_since
        else coalesce(failing_since, latest.first_at) end,
      dead_letters = case
        when latest.has_success then 0
        when last_delivery_at > latest.at and last_delivery_status = 'Success' then subscription.dead_letters
        else subscription.dead_letters + latest.dead_letters end
    from latest where subscription.id = latest.subscription_id
    returning subscription.id, latest.dead_letters > 0 and subscription.dead_letters >= dead_letters_max
      and failing_since <= latest.at - failing_ms * interval '1 millisecond' as has_failed_too_long
  )
  select moved.id, moved.attempt_number, moved.state, moved.subscription_id, moved.is_current,
    coalesce(touched.has_failed_too_long, false)
  from moved left join touched on touched.id = moved.subscription_id
  -- A CTE that only selects runs because the query refers to it.
  where (select written from retries) is not null;
end $$;
