-- Bulk jobs: many creates, edits or pushes of one vendor. Review jobs: many decisions of one
-- operator. A workflow runs each in batches.

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
  ended_at timestamptz,
  -- The credential that started the job (D154). It may be deleted, so the column references
  -- nothing. Null for a job that a process of an earlier version started.
  credential_id uuid,
  -- Why the gateway cancelled the job; null if a call did.
  cancel_reason text check (cancel_reason in ('CREDENTIAL_REVOKED', 'VENDOR_INACTIVE'))
) with (fillfactor = 50);
create index bulk_jobs_of_vendor on bulk_jobs (vendor_id, created_at desc, id desc);
create index bulk_jobs_newest on bulk_jobs (created_at desc, id desc);
create index bulk_jobs_open on bulk_jobs (vendor_id, id) where state in ('Queued', 'Running');
-- Retention finds ended jobs. Deleting a job also looks for the jobs that revert it.
create index bulk_jobs_ended on bulk_jobs (ended_at) where ended_at is not null;
create index bulk_jobs_of_reverted on bulk_jobs (reverts_id) where reverts_id is not null;
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
  -- A malformed item may name an offer of the vendor. Its result shows the id, and the item does
  -- not count as the first one for the offer.
  is_malformed boolean not null default false,
  details jsonb not null,
  -- What a restoration needs: domain/jobs/recorded-change.ts. Null where nothing changed.
  change jsonb,
  primary key (job_id, index)
);
create index bulk_job_results_failed on bulk_job_results (job_id, index) where state <> 'SUCCESS';
create index bulk_job_results_of_offer on bulk_job_results (job_id, offer_id)
  where offer_id is not null;

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
create index review_jobs_ended on review_jobs (ended_at) where ended_at is not null;
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
