-- A later page of a list without a first page in the last hour stores a snapshot for its own
-- request; no other request reads it.
alter table page_snapshots add column is_of_one_request boolean not null default false;
