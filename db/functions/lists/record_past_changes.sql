-- Records the change time and status that a group or a return had before its latest change.
create or replace function record_past_changes() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'fulfilment_groups' then
    insert into past_changes (list, vendor_id, id, status, changed_at, superseded_at)
    select 'groups', before.vendor_id, before.id, before.status, before.order_changed_at,
      after.order_changed_at
    from old_rows as before join new_rows as after on after.id = before.id
    where before.vendor_id is not null and before.order_changed_at < after.order_changed_at;
  else
    insert into past_changes (list, vendor_id, id, status, changed_at, superseded_at)
    select 'returns', before.vendor_id, before.id, before.status, before.changed_at,
      after.changed_at
    from old_rows as before join new_rows as after on after.id = before.id
    where before.destination = 'Supplier' and before.changed_at < after.changed_at;
  end if;
  return null;
end $$;
create or replace trigger record_past_changes after update on fulfilment_groups
  referencing old table as old_rows new table as new_rows
  for each statement execute function record_past_changes();
create or replace trigger record_past_changes after update on return_requests
  referencing old table as old_rows new table as new_rows
  for each statement execute function record_past_changes();
