-- Orders, in the fulfilment groups that vendors ship.

create table orders (
  id uuid primary key,
  ship_recipient text not null,
  ship_line1 text not null,
  ship_line2 text,
  ship_city text not null,
  ship_region text,
  ship_postal_code text,
  ship_country text not null,
  ship_phone text not null,
  created_at timestamptz not null
);

create table fulfilment_groups (
  id uuid primary key,
  order_id uuid not null references orders,
  -- Null: the service's own, or one that waits for a source.
  vendor_id uuid references vendors,
  status text not null check (status in (
    'Pending', 'Packed', 'Shipped', 'Delivered', 'Cancelled', 'Returned', 'PendingSourcing'
  )),
  vendor_order_id text,
  tracking_ref text,
  carrier text not null check (carrier in ('CarrierA', 'CarrierB', 'CarrierC', 'Other')),
  carrier_name_other text check (carrier_name_other is null or carrier = 'Other'),
  packed_at timestamptz,
  shipped_at timestamptz,
  delivered_at timestamptz,
  -- Both are the parent order's, kept here so that a page is one walk along an index.
  order_created_at timestamptz not null,
  order_changed_at timestamptz not null,
  check (vendor_id is null or status <> 'PendingSourcing')
);
create index fulfilment_groups_of_order on fulfilment_groups (order_id);
create index fulfilment_groups_of_vendor on fulfilment_groups (vendor_id, order_created_at, id);
create index fulfilment_groups_of_vendor_by_status
  on fulfilment_groups (vendor_id, status, order_created_at, id);
create index fulfilment_groups_of_vendor_by_change on fulfilment_groups (vendor_id, order_changed_at, id);
create index fulfilment_groups_of_vendor_by_status_and_change
  on fulfilment_groups (vendor_id, status, order_changed_at, id);

create table order_lines (
  id uuid primary key,
  group_id uuid not null references fulfilment_groups,
  position integer not null,
  variant_id uuid not null references variants,
  quantity integer not null check (quantity > 0)
);
create index order_lines_of_group on order_lines (group_id, position);

create table return_requests (
  id uuid primary key,
  number bigint generated always as identity unique,
  order_id uuid not null references orders,
  destination text not null check (destination in ('Supplier', 'SortingPoint')),
  -- Whose lines these are; null where they are the service's own.
  vendor_id uuid references vendors,
  status text not null check (status in (
    'Pending', 'Approved', 'Rejected', 'InTransit', 'Received', 'UnderInspection',
    'InspectionAccepted', 'InspectionRejected', 'RefundReleased', 'Closed', 'Withdrawn'
  )),
  requested_at timestamptz not null,
  received_at timestamptz,
  inspection_started_at timestamptz,
  inspection_deadline timestamptz,
  inspection_decided_at timestamptz,
  outcome text check (outcome in ('AcceptedDefect', 'AcceptedSound', 'Rejected')),
  proposed_outcome text check (proposed_outcome in ('AcceptedDefect', 'AcceptedSound', 'Rejected')),
  requires_staff_review boolean not null default false,
  decided_by uuid references operators,
  -- Taken from configuration when the return was made, and fixed for it.
  inspection_start_ms bigint not null check (inspection_start_ms > 0),
  inspection_window_ms bigint not null check (inspection_window_ms > 0),
  version integer not null default 1,
  changed_at timestamptz not null,
  check (destination = 'SortingPoint' or vendor_id is not null),
  -- An outcome and its instant come together, and stay: no decision without a trace, none twice.
  check ((outcome is null) = (inspection_decided_at is null))
);
create index return_requests_of_order on return_requests (order_id);
create index return_requests_of_vendor
  on return_requests (vendor_id, requested_at desc, id desc) where destination = 'Supplier';
create index return_requests_of_vendor_by_status
  on return_requests (vendor_id, status, requested_at desc, id desc) where destination = 'Supplier';
create index return_requests_of_vendor_by_change
  on return_requests (vendor_id, changed_at, id);
-- The operators' list: what is under inspection by its deadline, then the rest as it came in.
create index return_requests_by_deadline on return_requests (
  (case when status = 'UnderInspection' then inspection_deadline end), id
);
-- What waits for staff is a few of many.
create index return_requests_for_staff on return_requests (
  (case when status = 'UnderInspection' then inspection_deadline end), id
) where requires_staff_review;
create index return_requests_of_status_by_deadline on return_requests (
  status, (case when status = 'UnderInspection' then inspection_deadline end), id
);
create index return_requests_of_vendor_by_deadline on return_requests (
  vendor_id, (case when status = 'UnderInspection' then inspection_deadline end), id
);

-- At least eight digits: lpad would cut a longer number.
create function return_number(number bigint) returns text language sql immutable as $$
  select 'RR-' || lpad(number::text, greatest(8, length(number::text)), '0')
$$;

create table return_lines (
  return_id uuid not null references return_requests,
  position integer not null,
  order_line_id uuid not null references order_lines,
  quantity integer not null check (quantity > 0),
  reason_code text not null check (reason_code in (
    'Defective', 'DamagedInTransit', 'WrongItem', 'MissingPart', 'NotAsDescribed', 'SuspectedCounterfeit',
    'ChangedMind', 'Other'
  )),
  primary key (return_id, position)
);

create table return_evidence (
  id uuid primary key,
  return_id uuid not null references return_requests,
  url text not null,
  kind text not null check (kind in ('Photo', 'Document')),
  uploaded_at timestamptz not null
);
create index return_evidence_of_return on return_evidence (return_id, uploaded_at, id);

-- Every status a return has had, for include=history. The reason is staff's, for staff.
create table return_status_changes (
  id bigint generated always as identity primary key,
  return_id uuid not null references return_requests,
  from_status text,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index return_status_changes_of_return on return_status_changes (return_id, id);

alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (kind in ('offerReview', 'webhookDelivery', 'agreementSwitch', 'returnInspection'));
