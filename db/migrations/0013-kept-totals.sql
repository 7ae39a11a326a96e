-- A list of many offers stores its snapshot first, and counts once writers go on. Null: not counted.
alter table page_snapshots alter column total_count drop not null;
-- What a list of offers filters by beside the status, as at that place.
alter table past_changes add column vendor_sku text, add column vendor_external_id text;

-- The number of entries of the audit log by operator: the sum of its rows, as in offer_counts.
create table audit_counts (
  -- The nil UUID: entries of vendors and of commands on the server.
  operator_id uuid not null,
  delta bigint not null,
  is_compacted boolean not null default false
);
create index audit_counts_by_key on audit_counts (operator_id) include (delta);
create index audit_counts_uncompacted on audit_counts (operator_id) where not is_compacted;
-- The function and its trigger are also in db/functions, which is applied later. Here the lock lets
-- no entry in between the count and the trigger.
lock table audit_log in share row exclusive mode;
create function count_audit() returns trigger language plpgsql as $$
begin
  insert into audit_counts (operator_id, delta)
  select coalesce(operator_id, '00000000-0000-0000-0000-000000000000'), count(*)
  from new_rows group by 1;
  return null;
end $$;
create trigger count_audit after insert on audit_log
  referencing new table as new_rows for each statement execute function count_audit();
insert into audit_counts (operator_id, delta, is_compacted)
select coalesce(operator_id, '00000000-0000-0000-0000-000000000000'), count(*), true
from audit_log group by 1;
