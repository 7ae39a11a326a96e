-- Keeps audit_counts, and in them the decisions of the statistics. Entries of the audit log are
-- never changed or deleted.
create or replace function count_audit() returns trigger language plpgsql
-- A plan from when there were no offers would read all of them.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into audit_counts (operator_id, vendor_id, kind, hour, waited_step, delta)
  select coalesce(operator_id, '00000000-0000-0000-0000-000000000000'), offers.vendor_id,
    case when offers.id is not null then action end,
    case when offers.id is not null then date_trunc('hour', now(), 'UTC') end,
    audit_wait_step((after -> 'waitedMs')::double precision), count(*)
  from new_rows
  left join offers on offers.id = subject_id and action in (
    'offer.approve', 'offer.reject', 'offer.returnToReview', 'offer.applyPrice',
    'offer.discardPrice'
  )
  group by 1, 2, 3, 4, 5;
  return null;
end $$;
create or replace trigger count_audit after insert on audit_log
  referencing new table as new_rows for each statement execute function count_audit();
