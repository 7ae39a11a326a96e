-- Returns with their lines, evidence and status history.

create table return_requests (
  id uuid primary key,
  number bigint generated always as identity unique,
  order_id uuid not null references orders,
  destination text not null check (destination in ('Supplier', 'SortingPoint')),
  -- The vendor of the lines; null where the service itself supplied them.
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
  -- From configuration at the return's creation; fixed from then on.
  inspection_start_ms bigint not null check (inspection_start_ms > 0),
  inspection_window_ms bigint not null check (inspection_window_ms > 0),
  version integer not null default 1,
  changed_at timestamptz not null,
  check (destination = 'SortingPoint' or vendor_id is not null),
  -- An outcome never comes without its instant.
  check ((outcome is null) = (inspection_decided_at is null))
);
create index return_requests_of_order on return_requests (order_id);
create index return_requests_of_vendor
  on return_requests (vendor_id, requested_at desc, id desc) where destination = 'Supplier';
create index return_requests_of_vendor_by_status
  on return_requests (vendor_id, status, requested_at desc, id desc) where destination = 'Supplier';
create index return_requests_of_vendor_by_change
  on return_requests (vendor_id, changed_at, id);
-- The operators' list: returns under inspection by deadline, then the others by creation.
create index return_requests_by_deadline on return_requests (
  (case when status = 'UnderInspection' then inspection_deadline end), id
);
-- Few returns wait for staff.
create index return_requests_for_staff on return_requests (
  (case when status = 'UnderInspection' then inspection_deadline end), id
) where requires_staff_review;
create index return_requests_of_status_by_deadline on return_requests (
  status, (case when status = 'UnderInspection' then inspection_deadline end), id
);
create index return_requests_of_vendor_by_deadline on return_requests (
  vendor_id, (case when status = 'UnderInspection' then inspection_deadline end), id
);

create table return_lines (
  return_id uuid not null references return_requests,
  position integer not null,
  order_line_id uuid not null references order_lines,
  quantity integer not null check (quantity > 0),
  reason_code text not null check (reason_code in (
    'Defective', 'DamagedInTransit', 'WrongItem', 'MissingPart', 'NotAsDescribed',
    'SuspectedCounterfeit', 'ChangedMind', 'Other'
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

-- Every status a return has had, for include=history. Only operators read the reason.
create table return_status_changes (
  id bigint generated always as identity primary key,
  return_id uuid not null references return_requests,
  from_status text,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index return_status_changes_of_return on return_status_changes (return_id, id);
