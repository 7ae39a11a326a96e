-- The credential that started a job (D154). It may be deleted, so the column references nothing.
-- Null for a job that a process of an earlier version started.
alter table bulk_jobs add column credential_id uuid;
-- Why the gateway cancelled the job; null if a call did.
alter table bulk_jobs add column cancel_reason text
  check (cancel_reason in ('CREDENTIAL_REVOKED', 'VENDOR_INACTIVE'));
