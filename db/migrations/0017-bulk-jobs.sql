-- Bulk jobs: many creates, edits or pushes of one vendor, which a workflow runs in batches.

create table bulk_jobs (
  id uuid primary key,
  vendor_id uuid not null references vendors,
  kind text not null check (kind in (
    'createOffers', 'updateOffers', 'pushCosts', 'pushSalePrices', 'pushStocks'
  )),
  -- The job whose changes this one restores.
  reverts_id uuid references bulk_jobs on delete set null,
  -- Each batch is rolled back, and only the results stay.
  validate_only boolean not null default false,
  state text not null default 'Queued'
    check (state in ('Queued', 'Running', 'Finished', 'Cancelled')),
  item_count integer not null,
  done_count integer not null default 0,
  failed_count integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
) with (fillfactor = 50);
create index bulk_jobs_of_vendor on bulk_jobs (vendor_id, created_at desc, id desc);
create index bulk_jobs_newest on bulk_jobs (created_at desc, id desc);
create index bulk_jobs_open on bulk_jobs (vendor_id, id) where state in ('Queued', 'Running');
-- One restoration of a job at a time.
create unique index bulk_jobs_reverts on bulk_jobs (reverts_id)
  where state <> 'Cancelled' and not validate_only;

-- The items that have not run. A batch deletes its items in the transaction of their effects.
create table bulk_job_items (
  job_id uuid not null references bulk_jobs on delete cascade,
  index integer not null,
  -- domain/jobs/job-item.ts has the forms.
  item jsonb not null,
  primary key (job_id, index)
);

-- What became of the items that have run.
create table bulk_job_results (
  job_id uuid not null references bulk_jobs on delete cascade,
  index integer not null,
  http_status integer not null,
  state text not null,
  offer_id uuid,
  vendor_external_id text,
  version integer,
  details jsonb not null,
  -- What a restoration needs: domain/jobs/recorded-change.ts. Null where nothing changed.
  change jsonb,
  primary key (job_id, index)
);
create index bulk_job_results_failed on bulk_job_results (job_id, index) where state <> 'SUCCESS';
create index bulk_job_results_of_offer on bulk_job_results (job_id, offer_id)
  where offer_id is not null;

alter table outbox drop constraint outbox_kind_check, add constraint outbox_kind_check
  check (kind in (
    'offerReview', 'webhookDelivery', 'webhookDeliveryBatch', 'agreementSwitch',
    'returnInspection', 'bulkJob'
  ));
