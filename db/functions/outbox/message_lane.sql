-- The lane of a message: `batches` start the runs of delivery batches, `deliveries` ask for first
-- attempts, `runs` are for the runs of deliveries, and `commands` for the other workflows.
create or replace function message_lane(kind text, payload jsonb) returns text
language sql immutable as $$
  select case
    when kind = 'webhookDeliveryBatch' then 'batches'
    when kind <> 'webhookDelivery' then 'commands'
    when payload ->> 'signal' in ('start', 'redeliver') then 'deliveries'
    else 'runs'
  end
$$;
