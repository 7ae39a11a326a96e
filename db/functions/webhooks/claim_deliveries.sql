-- Claims deliveries that wait for the first attempt of a schedule, for `lease_ms`. Walks over the
-- subscriptions with rows in the queue, round robin from the one after `after_subscription`, and
-- takes of each at most `of_each`, or its number of `busy_free` if `busy_ids` has it, and of all at
-- most `claimed_max`. An expired lease counts as an attempt that was lost with its worker. The first
-- row of the result is about the walk: the subscription where it ended, whether it left some that
-- it has not seen, and whether a subscription had no free slot for another. The others are what to
-- send.
create or replace function claim_deliveries(
  after_subscription uuid, claimed_max integer, of_each integer, busy_ids uuid[],
  busy_free integer[], lease_ms double precision, lost_summary text
) returns table (
  walked_to uuid, has_more boolean, is_held boolean, delivery_id uuid, queued_at text,
  fence integer, attempt_number integer, subscription_id uuid, vendor_id uuid, url text,
  event_id text, is_test boolean, secret_sealed bytea, headers_sealed bytea, is_active boolean,
  body text, traceparent text, claimed_at timestamptz
) language plpgsql volatile
-- The planner takes the queue for empty. Each statement touches a few rows by their keys.
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set plan_cache_mode = force_generic_plan set lock_timeout = '2s' as $$
#variable_conflict use_column
declare
  -- The walk ends here, because a receiver without a free slot takes a step too.
  seen_max constant integer := 200;
  least_id constant uuid := '00000000-0000-0000-0000-000000000000';
  at constant timestamptz := clock_timestamp();
  lease constant interval := lease_ms * interval '1 millisecond';
  walked uuid := after_subscription;
  next_id uuid;
  has_wrapped boolean := false;
  seen integer := 0;
  slots integer;
  room integer := claimed_max;
  is_short boolean := false;
  taken record;
  ids uuid[] := '{}';
  subscriptions uuid[] := '{}';
  dues timestamptz[] := '{}';
  fences integer[] := '{}';
  lost_ids uuid[] := '{}';
  lost_at timestamptz[] := '{}';
  returned integer;
begin
  while seen < seen_max and room > 0 loop
    select queue.subscription_id into next_id from delivery_queue as queue
    where queue.subscription_id > walked
    order by queue.subscription_id, queue.due_at, queue.delivery_id limit 1;
    if next_id is null then
      exit when has_wrapped;
      has_wrapped := true;
      walked := least_id;
      continue;
    end if;
    exit when has_wrapped and next_id > after_subscription;
    walked := next_id;
    seen := seen + 1;
    slots := coalesce(busy_free[array_position(busy_ids, next_id)], of_each);
    if slots > 0 then
      with due as materialized (
        select queue.due_at, queue.delivery_id, queue.leased_until from delivery_queue as queue
        where queue.subscription_id = next_id and queue.due_at <= at
          and (queue.leased_until is null or queue.leased_until <= at)
        order by queue.subscription_id, queue.due_at, queue.delivery_id
        limit least(slots, room) for update skip locked
      ), leased as (
        update delivery_queue as queue set tries = queue.tries + 1, leased_until = at + lease
        from due
        where queue.subscription_id = next_id and queue.due_at = due.due_at
          and queue.delivery_id = due.delivery_id
        returning queue.delivery_id, queue.due_at, queue.tries, due.leased_until
      )
      select count(*)::integer as total, array_agg(delivery_id order by due_at, delivery_id) as ids,
        array_agg(due_at order by due_at, delivery_id) as dues,
        array_agg(tries order by due_at, delivery_id) as fences,
        array_agg(delivery_id) filter (where leased_until is not null) as lost_ids,
        array_agg(leased_until - lease) filter (where leased_until is not null) as lost_at
      into taken from leased;
      if taken.total > 0 then
        room := room - taken.total;
        ids := ids || taken.ids;
        subscriptions := subscriptions || array_fill(next_id, array[taken.total]);
        dues := dues || taken.dues;
        fences := fences || taken.fences;
        lost_ids := lost_ids || taken.lost_ids;
        lost_at := lost_at || taken.lost_at;
      end if;
      is_short := is_short or taken.total = slots;
    else
      is_short := true;
    end if;
  end loop;
  if cardinality(lost_ids) > 0 then
    perform end_lost_attempts(lost_ids, lost_at, lost_summary);
  end if;
  walked_to := walked;
  has_more := room = 0 or seen = seen_max;
  is_held := is_short;
  return next;
  if cardinality(ids) = 0 then
    return;
  end if;
  return query
  select null::uuid, null::boolean, null::boolean, delivery.id, claimed.due_at::text,
    -- An attempt that is shown was given back unsent: the next one takes its row.
    claimed.fence, delivery.attempts + (not delivery.is_under_way)::integer, delivery.subscription_id, delivery.vendor_id,
    subscription.url, delivery.event_id, delivery.is_test, subscription.secret_sealed,
    subscription.headers_sealed,
    subscription.is_active and delivery.epoch = subscription.epoch, event.body, event.traceparent,
    at
  from unnest(ids, dues, fences) with ordinality as claimed (id, due_at, fence, position)
  join webhook_deliveries as delivery on delivery.id = claimed.id
  join webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
  join webhook_events as event on event.id = delivery.event_id
  where delivery.state = 'waiting' and not is_stale_sample(delivery.is_test, delivery.created_at)
  order by claimed.position;
  get diagnostics returned = row_count;
  if returned < cardinality(ids) then
    -- Of deliveries that are gone or ended, and of samples that nobody waits for.
    delete from delivery_queue as queue
    using unnest(ids, subscriptions, dues) as claimed (id, subscription_id, due_at)
    where queue.subscription_id = claimed.subscription_id and queue.due_at = claimed.due_at
      and queue.delivery_id = claimed.id and not exists (
        select from webhook_deliveries as delivery
        where delivery.id = claimed.id and delivery.state = 'waiting'
          and not is_stale_sample(delivery.is_test, delivery.created_at)
      );
  end if;
end $$;
