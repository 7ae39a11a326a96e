-- Locks the rows of the queue that these claims still have, in the order of all writers, and
-- returns the ids of their deliveries. A claim is the key of the row with the number of the claim
-- (`fence`).
create or replace function lock_claims(of_claims jsonb) returns uuid[] language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select queue.delivery_id
    from (
      select * from jsonb_to_recordset(of_claims) as claim (
        subscription_id uuid, queued_at timestamptz, delivery_id uuid, fence integer
      )
      order by subscription_id, queued_at, delivery_id
    ) as claim
    -- A join may read the whole queue, because the planner takes it for empty.
    cross join lateral (
      select delivery_id from delivery_queue
      where subscription_id = claim.subscription_id and due_at = claim.queued_at
        and delivery_id = claim.delivery_id and tries = claim.fence
      for update
    ) as queue
  );
end $$;
