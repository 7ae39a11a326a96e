-- Work that the gateway repeats reads only what it is about, however large the tables are.

-- The first of the kept calls: a row whose first call is two minutes old has no recent call.
create index token_calls_by_age on token_calls ((called_at[1]));

-- Retention finds ended jobs. Deleting a job also looks for the jobs that revert it.
create index bulk_jobs_ended on bulk_jobs (ended_at) where ended_at is not null;
create index bulk_jobs_of_reverted on bulk_jobs (reverts_id) where reverts_id is not null;
create index review_jobs_ended on review_jobs (ended_at) where ended_at is not null;

-- The lane that relays a message: `batches` start the runs of delivery batches, `deliveries` ask for
-- first attempts, `runs` are for the runs of deliveries, and `commands` for the other workflows.
-- A relay reads no messages of other lanes.
alter table outbox add column lane text not null generated always as (
  case
    when kind = 'webhookDeliveryBatch' then 'batches'
    when kind <> 'webhookDelivery' then 'commands'
    when payload ->> 'signal' in ('start', 'redeliver') then 'deliveries'
    else 'runs'
  end
) stored;
create index outbox_normal_priority_of_lane on outbox (lane, id) where not is_low_priority;
create index outbox_low_priority_of_lane on outbox (lane, id) where is_low_priority;
drop index outbox_normal_priority;
drop index outbox_low_priority;

-- Each waiting delivery by the time of its next attempt, or of its creation before the first one.
create index webhook_deliveries_due on webhook_deliveries ((coalesce(next_attempt_at, created_at)))
  where state = 'waiting';
create index webhook_deliveries_samples on webhook_deliveries (created_at)
  where state = 'waiting' and is_test;
-- Every waiting delivery of an earlier epoch has ended up to this epoch.
alter table webhook_subscriptions add column settled_epoch integer not null default 0;
create index webhook_subscriptions_unsettled on webhook_subscriptions (id)
  where settled_epoch < epoch;
create index webhook_subscriptions_inactive on webhook_subscriptions (id) where not is_active;

-- The reconciliation reads what waits in the order of ids.
create index offers_awaiting_by_id on offers (id) where awaiting_since is not null;
create index return_requests_open on return_requests (id)
  where status not in ('Rejected', 'RefundReleased', 'Closed', 'Withdrawn');
-- Inspections that silence decides at their deadline.
create index return_requests_silent on return_requests (inspection_deadline)
  where status = 'UnderInspection' and destination = 'Supplier' and proposed_outcome is null;
