-- Review jobs: many decisions of one operator, which a workflow runs in batches.

create table review_jobs (
  id uuid primary key,
  operator_id uuid not null references operators,
  action text not null check (action in ('approve', 'reject', 'apply', 'discard')),
  -- Of every decision; the vendors read it.
  reason text,
  -- The X-Request-Id of the call that started the job: its decisions have it in the audit log.
  request_id text not null,
  state text not null default 'Queued'
    check (state in ('Queued', 'Running', 'Finished', 'Cancelled')),
  item_count integer not null,
  done_count integer not null default 0,
  failed_count integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
) with (fillfactor = 50);
create index review_jobs_newest on review_jobs (created_at desc, id desc);
create index review_jobs_of_operator on review_jobs (operator_id, created_at desc, id desc);
create index review_jobs_open on review_jobs (operator_id, id) where state in ('Queued', 'Running');

-- The items that have not run. A batch deletes its items in the transaction of their effects.
create table review_job_items (
  job_id uuid not null references review_jobs on delete cascade,
  index integer not null,
  -- The vendor of the offer: a batch has items of one. All zeros where the item names no offer.
  vendor_id uuid not null,
  -- domain/jobs/review-job.ts has the forms.
  item jsonb not null,
  primary key (job_id, index)
);
create index review_job_items_of_vendor on review_job_items (job_id, vendor_id, index);

-- What became of the items that have run.
create table review_job_results (
  job_id uuid not null references review_jobs on delete cascade,
  index integer not null,
  http_status integer not null,
  state text not null,
  offer_id uuid,
  -- The offer afterwards; null where the item failed.
  offer_status text,
  review_version integer,
  details jsonb not null,
  primary key (job_id, index)
);
create index review_job_results_failed on review_job_results (job_id, index)
  where state <> 'SUCCESS';

alter table outbox drop constraint outbox_kind_check, add constraint outbox_kind_check
  check (kind in (
    'offerReview', 'webhookDelivery', 'webhookDeliveryBatch', 'agreementSwitch',
    'returnInspection', 'bulkJob', 'reviewJob'
  ));

-- The filters of the operators' list of offers, from which a job is made.
create index offers_awaiting_of_vendor on offers (vendor_id, awaiting_since, id)
  where awaiting_since is not null;
-- The expression of db/offers/review-queue.ts.
create index offers_by_price_change on offers ((
  case when pricing_model = 'CostPlusMargin'
    then (pending_cost_net - cost_net) * 100.0 / nullif(cost_net, 0)
    else (pending_sale_price_net - sale_price_net) * 100.0 / nullif(sale_price_net, 0) end
), awaiting_since, id) where pending_cost_net is not null or pending_sale_price_net is not null;
create index offers_of_variant on offers (variant_id) where variant_id is not null;
create index offers_unmatched_by_brand on offers (lower(raw_brand_name)) where variant_id is null;
create index variants_by_brand on variants (lower(brand_name));
