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
  -- The time before the end of the window at which the vendor gets an event; 0: none.
  inspection_closing_ms bigint not null default 0 check (inspection_closing_ms >= 0),
  closing_announced_at timestamptz,
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

-- The reconciliation reads open returns in the order of ids.
create index return_requests_open on return_requests (id)
  where status not in ('Rejected', 'RefundReleased', 'Closed', 'Withdrawn');
-- Inspections that silence decides at their deadline.
create index return_requests_silent on return_requests (inspection_deadline)
  where status = 'UnderInspection' and destination = 'Supplier' and proposed_outcome is null;
-- A vendor's upcoming changes. `at time zone` keeps the sum immutable, as an index needs it.
create index return_requests_upcoming_starts on return_requests (
  vendor_id, ((received_at at time zone 'UTC') + inspection_start_ms * interval '1 millisecond'), id
) where destination = 'Supplier' and status = 'Received';
create index return_requests_upcoming_ends on return_requests (vendor_id, inspection_deadline, id)
  where destination = 'Supplier' and status = 'UnderInspection'
    and (proposed_outcome is null or not requires_staff_review);
-- The upcoming changes of all vendors, under the same conditions.
create index return_requests_upcoming_starts_of_all on return_requests (
  ((received_at at time zone 'UTC') + inspection_start_ms * interval '1 millisecond'), id
) where destination = 'Supplier' and status = 'Received';
create index return_requests_upcoming_ends_of_all on return_requests (inspection_deadline, id)
  where destination = 'Supplier' and status = 'UnderInspection'
    and (proposed_outcome is null or not requires_staff_review);

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
-- The returned quantity of an order's line, at each new return of it.
create index return_lines_of_order_line on return_lines (order_line_id);

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
