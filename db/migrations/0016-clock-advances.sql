-- The latest advance of each vendor's clock in a sandbox (D132).
create table clock_advances (
  vendor_id uuid primary key references vendors,
  -- The business instant that the call named.
  target timestamptz not null,
  -- The vendor's clock_offset at the end of the advance.
  target_offset interval not null,
  -- The stops so far, and those of them for retries of deliveries only.
  stops integer not null default 0,
  retry_stops integer not null default 0,
  -- Null while the clock advances.
  ended_at timestamptz,
  -- Why the advance ended before its target; null if it did not.
  stop_reason text check (stop_reason in ('FailingReceivers'))
);
create index clock_advances_open on clock_advances (vendor_id) where ended_at is null;

alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check check (kind in (
  'offerReview', 'webhookDelivery', 'webhookDeliveryBatch', 'agreementSwitch',
  'returnInspection', 'bulkJob', 'reviewJob', 'clockAdvance'
));
