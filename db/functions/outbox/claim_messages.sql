-- Claims due messages of a lane until the transaction ends: at most `normal_max` of normal
-- priority, and `low_max` of low priority, each in the order of their ids. Leaves messages whose
-- subject another relay has locked. `all` is the lanes `runs` and `commands`, each with
-- `normal_max`; its messages of low priority come from `runs` first. Workers of the earlier version
-- name it `rest`. Reads no message before the id of its priority: while a transaction is old,
-- Postgres keeps every deleted message, and a claim would read over each of them.
-- db/outbox/outbox.ts describes them.
create or replace function claim_messages(
  of_lane text, normal_max integer, low_max integer, normal_since bigint default 0,
  low_since bigint default 0
) returns table (id bigint, kind text, subject_id uuid, payload jsonb) language plpgsql volatile
-- The outbox is mostly empty. A plan from the statistics of then would read it whole for each
-- claim, which takes longer the more messages wait. For the same reason the order begins with the
-- lane, and the lane is a range: only the index of lanes has this order.
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  lanes constant text[] :=
    case when of_lane in ('all', 'rest') then array['runs', 'commands'] else array[of_lane] end;
begin
  return query
  with normal_priority as materialized (
    select message.* from unnest(lanes) as of (lane) cross join lateral (
      select * from outbox
      where lane >= of.lane and lane <= of.lane and outbox.id >= normal_since and not is_low_priority
        and due_at <= now()
      order by outbox.lane, id limit normal_max for update skip locked
    ) as message
  ), low_priority as materialized (
    select message.* from unnest(lanes) as of (lane) cross join lateral (
      select * from outbox
      where lane >= of.lane and lane <= of.lane and outbox.id >= low_since and is_low_priority
        and due_at <= now()
      order by outbox.lane, id limit low_max for update skip locked
    ) as message
    limit low_max
  ), due as (
    select * from normal_priority union all select * from low_priority
  ), subjects as materialized (
    select subject_id,
      pg_try_advisory_xact_lock(hashtextextended(subject_id::text, 0)) as is_locked
    from (select distinct subject_id from due) as each_once
  )
  select due.id, due.kind, due.subject_id, due.payload
  from due join subjects using (subject_id) where subjects.is_locked
  order by due.id;
end $$;
