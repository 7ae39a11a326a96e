-- Extends the leases of claims to `lease_ms` from now, or (null) gives the claims back, because
-- nothing was sent: their deliveries are due again after `delay_ms`. The number of the claim stays,
-- so that a late result of it does not count.
create or replace function change_claims(
  of_claims jsonb, lease_ms double precision, delay_ms double precision
) returns void language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set plan_cache_mode = force_generic_plan set lock_timeout = '2s' as $$
declare
  held constant uuid[] := lock_claims(of_claims);
begin
  update delivery_queue as queue set
    leased_until = clock_timestamp() + lease_ms * interval '1 millisecond',
    due_at = case when delay_ms > 0
      then clock_timestamp() + delay_ms * interval '1 millisecond' else queue.due_at end
  from jsonb_to_recordset(of_claims) as claim (
    subscription_id uuid, queued_at timestamptz, delivery_id uuid
  )
  where queue.subscription_id = claim.subscription_id and queue.due_at = claim.queued_at
    and queue.delivery_id = claim.delivery_id and queue.delivery_id = any(held);
end $$;
