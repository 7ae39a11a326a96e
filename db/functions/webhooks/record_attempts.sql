-- Records results, each once, with the state of each delivery and the last delivery of each
-- subscription, and returns the deliveries that it moved. The result of a claim (`fence`) counts
-- only while the delivery has its row in the queue with this number of claims, and deletes the row.
-- The result of a run counts only while the delivery has no row there. A claimed delivery continues
-- in a run of its own, by a message, if its attempt failed, if it was dead-lettered before, or if
-- its result asks for a run. Locks are taken as in begin_attempts.
create or replace function record_attempts(
  of_results jsonb, failing_ms double precision, dead_letters_max integer
) returns table (
  delivery_id uuid, attempt_number integer, state text, subscription_id uuid, is_current boolean,
  has_failed_too_long boolean
) language plpgsql volatile
-- Each statement touches a few rows by their keys. A plan from statistics of empty tables, or one
-- for each call, would cost more than the work.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  ids constant uuid[] := array(
    select (results ->> 'delivery_id')::uuid from jsonb_array_elements(of_results) as results
  );
  claim record;
  -- The positions of the results whose claims count.
  claimed bigint[] := '{}';
begin
  perform set_config('lock_timeout', '2000', true);
  -- A worker that freezes here would otherwise block the results that others store together.
  perform set_config('idle_in_transaction_session_timeout', '5000', true);
  -- In the order of lock_claims. One by one: a lock before the deletion is written too, and a join
  -- may read the whole queue, because the planner takes it for empty.
  for claim in
    select * from jsonb_array_elements(of_results) with ordinality as item (result, position)
    cross join lateral jsonb_to_record(result) as result_of (
      subscription_id uuid, queued_at timestamptz, delivery_id uuid, fence integer
    )
    where fence is not null order by subscription_id, queued_at, delivery_id
  loop
    delete from delivery_queue as queue
    where queue.subscription_id = claim.subscription_id and queue.due_at = claim.queued_at
      and queue.delivery_id = claim.delivery_id and queue.tries = claim.fence;
    if found then
      claimed := claimed || claim.position;
    end if;
  end loop;
  perform from webhook_subscriptions
  where id in (select subscription_id from webhook_deliveries
    where webhook_deliveries.id = any(ids))
  order by id for no key update;
  perform from webhook_deliveries where id = any(ids) order by id for no key update;
  -- For the triggers of the next statement, which counts the successes itself.
  perform set_config('gateway.has_counted_successes', 'on', true);
  return query
  with results as materialized (
    select results.*, position
    from jsonb_array_elements(of_results) with ordinality as item (result, position)
    cross join lateral jsonb_to_record(result) as results (
      delivery_id uuid, attempt_number integer, sent_at timestamptz, succeeded boolean,
      http_status integer, error_summary text, next_attempt_at timestamptz, state text,
      at timestamptz, has_own_run boolean, duration_ms integer, answer jsonb, fence integer,
      claimed_at timestamptz
    )
  ), recorded as materialized (
    select results.delivery_id, results.attempt_number, results.sent_at, results.succeeded,
      results.http_status, results.error_summary, results.duration_ms, results.at, results.answer,
      results.fence is not null or delivery.batch_id is not null as was_claimed,
      delivery.subscription_id, delivery.vendor_id, delivery.event_type, delivery.event_id,
      delivery.is_test,
      case when is_ended then coalesce(results.sent_at, results.at) else results.next_attempt_at end
        as next_attempt_at,
      case when results.state = 'deadLettered' then results.at end as dead_lettered_at,
      derived.created_at, attempt.id as shown_id,
      dead_letter.at as earlier_dead_letter_at,
      results.has_own_run or dead_letter.at is not null as has_own_run,
      is_ended, case when is_ended then 'cancelled' else results.state end as state,
      subscription.is_receiving
        and coalesce(derived.created_at > subscription.url_changed_at, true) as is_current
    from results
    join webhook_deliveries as delivery on delivery.id = results.delivery_id
    -- A join may read all attempts, because the planner has no statistics of a new installation.
    left join lateral (
      select id, created_at, succeeded from webhook_attempts
      where delivery_id = results.delivery_id and attempt_number = results.attempt_number
      offset 0
    ) as attempt on true
    cross join lateral (
      select is_active and epoch = delivery.epoch as is_receiving, url_changed_at
      from webhook_subscriptions where webhook_subscriptions.id = delivery.subscription_id
    ) as subscription
    cross join lateral (
      select results.state = 'waiting' and not subscription.is_receiving as is_ended,
        coalesce(attempt.created_at, results.claimed_at) as created_at
    ) as derived
    cross join lateral (
      -- Of an earlier retry schedule: the delivery was redelivered.
      select max(earlier.dead_lettered_at) as at from webhook_attempts as earlier
      where earlier.delivery_id = delivery.id and results.attempt_number > 1
    ) as dead_letter
    where delivery.attempts + (not delivery.is_under_way)::integer = results.attempt_number
      and attempt.succeeded is null
      and case
        when results.fence is not null then results.position = any(claimed)
        else delivery.is_under_way and (
          delivery.listed_state is not null
          or not is_queued(delivery.subscription_id, delivery.id)
        )
      end
  ), made as (
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
      event_id, http_status, sent_at, succeeded, error_summary, dead_lettered_at, next_attempt_at,
      duration_ms, created_at)
    select uuidv7(), delivery_id, subscription_id, attempt_number, event_type, event_id,
      http_status, sent_at, succeeded, error_summary, dead_lettered_at, next_attempt_at,
      duration_ms, created_at
    from recorded where shown_id is null
    returning id, delivery_id
  ), shown as (
    -- An insert that may find the row would write more for each attempt.
    update webhook_attempts as attempt set
      http_status = recorded.http_status, sent_at = recorded.sent_at,
      succeeded = recorded.succeeded, error_summary = recorded.error_summary,
      duration_ms = recorded.duration_ms, next_attempt_at = recorded.next_attempt_at,
      dead_lettered_at = recorded.dead_lettered_at
    from recorded
    where attempt.id = any(array(select shown_id from recorded where shown_id is not null))
      and attempt.id = recorded.shown_id
    returning attempt.id, attempt.delivery_id
  ), answers as (
    insert into webhook_answers (attempt_id, request_headers, headers, body, body_bytes)
    select stored.id, answer -> 'requestHeaders', answer -> 'headers', answer ->> 'body',
      (answer ->> 'bodyBytes')::integer
    from recorded
    join (select * from made union all select * from shown) as stored
      on stored.delivery_id = recorded.delivery_id
    where answer is not null
  ), moved as (
    update webhook_deliveries as delivery set
      is_under_way = false, state = recorded.state,
      attempts = recorded.attempt_number + recorded.is_ended::integer,
      -- Of a batch of an earlier version.
      batch_id = case
        when recorded.state <> 'waiting' and recorded.has_own_run is not true then delivery.batch_id
      end,
      dead_lettered_at = recorded.dead_lettered_at,
      next_attempt_at = case when recorded.state = 'waiting' then recorded.next_attempt_at end
    from recorded where delivery.id = recorded.delivery_id
    returning recorded.*, delivery.attempts, old.batch_id as left_batch_id
  ), successes as (
    -- One row counts the deliveries, for the statistics too unless they are samples, and the
    -- attempts that get their rows here.
    insert into delivery_counts (vendor_id, event_type, state, hour, delta, subscription_id,
      attempts)
    select vendor_id, event_type, state,
      case when not is_test then date_trunc('hour', now(), 'UTC') end, count(*), subscription_id,
      count(*) filter (where shown_id is null)
    from moved where state = 'succeeded'
    group by vendor_id, event_type, state, is_test, subscription_id
  ), ended as (
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
      event_id, succeeded, error_summary, next_attempt_at, created_at)
    select uuidv7(), delivery_id, subscription_id, attempts, event_type, event_id, false,
      'subscription_inactive', clock_timestamp(), clock_timestamp()
    from moved where is_ended
  ), messages as (
    select write_messages('webhookDelivery', array_agg(delivery_id), array_agg(
      jsonb_build_object('vendorId', vendor_id, 'eventType', event_type, 'attempts', attempts)
      || case when state = 'waiting'
        then jsonb_build_object('signal', 'retry', 'tries', 1, 'dueAt', next_attempt_at)
        else jsonb_build_object('signal', 'ended', 'state', state) end
      || jsonb_build_object('details', jsonb_build_object(
        'eventId', event_id, 'subscriptionId', subscription_id, 'vendorName', vendor.name,
        'batchId', left_batch_id, 'httpStatus', http_status, 'errorSummary', error_summary,
        'sentAt', sent_at,
        'deadLetteredAt', coalesce(dead_lettered_at, earlier_dead_letter_at)
      ))
      || jsonb_strip_nulls(jsonb_build_object('traceparent', (
        select traceparent from webhook_events where webhook_events.id = moved.event_id
      )))
    )) as written
    from moved join vendors as vendor on vendor.id = moved.vendor_id
    where was_claimed and (state = 'waiting' or has_own_run)
    -- Without messages, write_messages would only cost.
    having count(*) > 0
  ), activity as (
    insert into activity_counts (vendor_id, kind, hour, delta)
    select owner, 'attempt.failed', date_trunc('hour', now(), 'UTC'), count(*)
    from recorded cross join activity_owners(recorded.vendor_id) as owner
    where not is_test and not succeeded group by owner
  ), finished as (
    select *, max(at) filter (where succeeded) over (partition by subscription_id) as success_at
    from recorded where sent_at is not null
  ), latest as (
    select subscription_id, max(at) as at, max(success_at) as success_at,
      (array_agg(
        case when succeeded then 'Success' when state = 'deadLettered' then 'DeadLettered'
          else 'Failed' end
        order by at desc
      ))[1] as status,
      -- Of what is stored together, only what failed after the last success counts.
      min(at) filter (where at > coalesce(success_at, '-infinity')) as failing_at,
      count(*) filter (
        where state = 'deadLettered' and at > coalesce(success_at, '-infinity')
      ) as dead_letters
    from finished group by subscription_id
  ), touched as (
    update webhook_subscriptions as subscription set
      last_delivery_at = greatest(last_delivery_at, latest.at),
      last_delivery_status =
        case when last_delivery_at > latest.at then last_delivery_status else latest.status end,
      failing_since = case
        -- A failure of before the last known success does not count.
        when last_delivery_at > latest.at and last_delivery_status = 'Success' then failing_since
        -- A success of before the first known failure, stored after it, forgives nothing.
        when latest.success_at >= coalesce(failing_since, '-infinity') then latest.failing_at
        else coalesce(failing_since, latest.failing_at) end,
      dead_letters = case
        when last_delivery_at > latest.at and last_delivery_status = 'Success'
          then subscription.dead_letters
        when latest.success_at >= coalesce(failing_since, '-infinity') then latest.dead_letters
        else subscription.dead_letters + latest.dead_letters end
    from latest where subscription.id = latest.subscription_id
    returning subscription.id, latest.dead_letters > 0
      and subscription.dead_letters >= dead_letters_max
      and failing_since <= latest.at - failing_ms * interval '1 millisecond' as has_failed_too_long
  )
  select moved.delivery_id, moved.attempt_number, moved.state, moved.subscription_id,
    moved.is_current, coalesce(touched.has_failed_too_long, false)
  from moved left join touched on touched.id = moved.subscription_id
  -- A CTE that only selects runs because the query refers to it.
  where (select count(*) from messages) is not null;
  perform set_config('gateway.has_counted_successes', 'off', true);
end $$;
