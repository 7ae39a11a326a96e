-- Extends the leases of claims to `lease_ms` from now, or (null) gives the claims back, because
-- nothing was sent: their deliveries are due again after `delay_ms`. The number of the claim stays,
-- so that a late result of it does not count. An extension passes over locked rows: a reset of a
-- sandbox that holds some for long must not let the leases of other vendors run out.
create or replace function change_claims(
  of_claims jsonb, lease_ms double precision, delay_ms double precision
) returns void language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set plan_cache_mode = force_generic_plan set lock_timeout = '2s' as $$
declare
  held constant uuid[] := case when lease_ms is null then lock_claims(of_claims) end;
begin
  update delivery_queue as queue set
    leased_until = clock_timestamp() + lease_ms * interval '1 millisecond',
    due_at = case when delay_ms > 0
      then clock_timestamp() + delay_ms * interval '1 millisecond' else queue.due_at end
  where ctid = any(array(
    select queue.ctid
    from (
      select * from jsonb_to_recordset(of_claims) as claim (
        subscription_id uuid, queued_at timestamptz, delivery_id uuid, fence integer
      )
      where held is null or delivery_id = any(held)
      order by subscription_id, queued_at, delivery_id
    ) as claim
    -- As in lock_claims.
    cross join lateral (
      select ctid from delivery_queue
      where subscription_id = claim.subscription_id and due_at = claim.queued_at
        and delivery_id = claim.delivery_id and tries = claim.fence
      for update skip locked
    ) as queue
  ));
end $$;
