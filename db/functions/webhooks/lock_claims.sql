-- Locks the rows of the queue that these claims still have, in the order of all writers, and returns
-- the ids of their deliveries. A claim is the key of the row with the number of the claim (`fence`).
create or replace function lock_claims(of_claims jsonb) returns uuid[] language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select queue.delivery_id
    from jsonb_to_recordset(of_claims) as claim (
      subscription_id uuid, queued_at timestamptz, delivery_id uuid, fence integer
    )
    join delivery_queue as queue on queue.subscription_id = claim.subscription_id
      and queue.due_at = claim.queued_at and queue.delivery_id = claim.delivery_id
    where queue.tries = claim.fence
    order by queue.subscription_id, queue.due_at, queue.delivery_id
    for update of queue
  );
end $$;
