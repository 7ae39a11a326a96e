-- Whether a delivery waits for the first attempt of a schedule, or a worker makes that attempt.
create or replace function is_queued(of_subscription uuid, of_delivery uuid) returns boolean
language sql stable as $$
  select exists (
    select from delivery_queue
    where subscription_id = of_subscription and delivery_id = of_delivery
  )
$$;
