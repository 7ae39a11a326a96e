-- Claims deliveries that wait for the first attempt of a schedule, for `lease_ms`. Walks over the
-- subscriptions with unclaimed rows, from the one after `after_subscription` to the last. Takes
-- at most `claimed_max` rows, and of each subscription at most `of_each`, or its number of
-- `busy_free` if `busy_ids` has it. An expired lease counts as an attempt that was lost with its
-- worker.
--
-- It reads no row that was due before `since`, or before the instant of `left_since` for a
-- subscription of `left_ids`. While a transaction is old, Postgres keeps the rows of all deliveries
-- that were made since it began, and a claim would read over each of them.
--
-- The first row of the result is about the walk. It has the subscription where the walk ended, or
-- the least id after the last one; whether more may be claimed at once; and the subscriptions that
-- may have more due rows, and from which instant on. The other rows are what to send.
create or replace function claim_deliveries(
  after_subscription uuid, claimed_max integer, of_each integer, busy_ids uuid[],
  busy_free integer[], lease_ms double precision, lost_summary text,
  since timestamptz default '-infinity', left_ids uuid[] default '{}',
  left_since timestamptz[] default '{}'
) returns table (
  walked_to uuid, has_more boolean, delivery_id uuid, queued_at text, fence integer,
  attempt_number integer, subscription_id uuid, vendor_id uuid, url text,
  event_id text, is_test boolean, secret_sealed bytea, headers_sealed bytea, is_active boolean,
  body text, traceparent text, claimed_at timestamptz, remaining_ids uuid[], remaining_since text[],
  event_type text, vendor_name text
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
  seen integer := 0;
  slots integer;
  wanted integer;
  since_due timestamptz;
  room integer := claimed_max;
  taken record;
  ids uuid[] := '{}';
  subscriptions uuid[] := '{}';
  dues timestamptz[] := '{}';
  fences integer[] := '{}';
  lost_ids uuid[] := '{}';
  lost_at timestamptz[] := '{}';
  remaining uuid[] := '{}';
  remaining_dues timestamptz[] := '{}';
  returned integer;
begin
  while seen < seen_max and room > 0 loop
    select queue.subscription_id into next_id from delivery_queue as queue
    -- Postgres skips from one subscription to the next, because the range is of the second column.
    where queue.subscription_id > walked and queue.due_at >= since
      and (queue.leased_until is null or queue.leased_until <= at)
    order by queue.subscription_id, queue.due_at, queue.delivery_id limit 1;
    next_id := least(next_id, (
      select id from unnest(left_ids) as id where id > walked order by id limit 1
    ));
    walked := coalesce(next_id, least_id);
    exit when next_id is null;
    seen := seen + 1;
    slots := coalesce(busy_free[array_position(busy_ids, next_id)], of_each);
    since_due := coalesce(left_since[array_position(left_ids, next_id)], since);
    if slots > 0 then
      wanted := least(slots, room);
      with leased as (
        -- A join may read the whole queue, because the planner takes it for empty.
        update delivery_queue as queue set tries = queue.tries + 1, leased_until = at + lease
        where queue.ctid = any(array(
          select due.ctid from delivery_queue as due
          where due.subscription_id = next_id and due.due_at >= since_due and due.due_at <= at
            and (due.leased_until is null or due.leased_until <= at)
          order by due.subscription_id, due.due_at, due.delivery_id
          limit wanted for update skip locked
        ))
        returning queue.delivery_id, queue.due_at, queue.tries, old.leased_until
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
      if taken.total = wanted then
        remaining := remaining || next_id;
        remaining_dues := remaining_dues || taken.dues[taken.total];
      end if;
    else
      remaining := remaining || next_id;
      remaining_dues := remaining_dues || since_due;
    end if;
  end loop;
  if cardinality(lost_ids) > 0 then
    perform end_lost_attempts(lost_ids, lost_at, lost_summary);
  end if;
  walked_to := walked;
  has_more := walked <> least_id or after_subscription <> least_id;
  claimed_at := at;
  remaining_ids := remaining;
  remaining_since := remaining_dues::text[];
  return next;
  if cardinality(ids) = 0 then
    return;
  end if;
  return query
  select null::uuid, null::boolean, delivery.id, claimed.due_at::text,
    -- An attempt that is shown was given back unsent: the next one takes its row.
    claimed.fence, delivery.attempts + (not delivery.is_under_way)::integer,
    delivery.subscription_id, delivery.vendor_id, subscription.url, delivery.event_id,
    delivery.is_test, subscription.secret_sealed, subscription.headers_sealed,
    subscription.is_active and delivery.epoch = subscription.epoch, event.body, event.traceparent,
    at, null::uuid[], null::text[], delivery.event_type, vendor.name
  from unnest(ids, dues, fences) with ordinality as claimed (id, due_at, fence, position)
  join webhook_deliveries as delivery on delivery.id = claimed.id
  join vendors as vendor on vendor.id = delivery.vendor_id
  join webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
  join webhook_events as event on event.id = delivery.event_id
  where delivery.state = 'waiting' and not is_stale_sample(delivery.is_test, delivery.created_at)
  order by claimed.position;
  get diagnostics returned = row_count;
  if returned < cardinality(ids) then
    -- The caller of an old sample has left. The sample is listed from here on, and the
    -- reconciliation cancels it.
    update webhook_deliveries as delivery set next_attempt_at = at
    where delivery.id = any(ids) and delivery.state = 'waiting'
      and is_stale_sample(delivery.is_test, delivery.created_at);
    -- The rows of deliveries that are gone or ended, and of old samples.
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
