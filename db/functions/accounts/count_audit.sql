-- Keeps audit_counts. Entries of the audit log are never changed or deleted.
create or replace function count_audit() returns trigger language plpgsql as $$
begin
  insert into audit_counts (operator_id, delta)
  select coalesce(operator_id, '00000000-0000-0000-0000-000000000000'), count(*)
  from new_rows group by 1;
  return null;
end $$;
create or replace trigger count_audit after insert on audit_log
  referencing new table as new_rows for each statement execute function count_audit();
