-- Keeps audit_counts, and the decisions in activity_counts. Entries of the audit log are never
-- changed or deleted.
create or replace function count_audit() returns trigger language plpgsql
-- A plan from when there were no offers would read all of them.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into audit_counts (operator_id, delta)
  select coalesce(operator_id, '00000000-0000-0000-0000-000000000000'), count(*)
  from new_rows group by 1;
  insert into activity_counts (vendor_id, kind, hour, delta)
  select owner, new_rows.action, date_trunc('hour', now(), 'UTC'), count(*)
  from new_rows
  join offers on offers.id = new_rows.subject_id
  cross join activity_owners(offers.vendor_id) as owner
  where new_rows.action in (
    'offer.approve', 'offer.reject', 'offer.returnToReview', 'offer.applyPrice',
    'offer.discardPrice'
  )
  group by 1, 2;
  return null;
end $$;
create or replace trigger count_audit after insert on audit_log
  referencing new table as new_rows for each statement execute function count_audit();
