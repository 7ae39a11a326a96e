-- Keeps the parts of list_counts that are about fulfilment groups, which are never deleted: the
-- groups, and the orders with a group of a vendor. An order gets its groups by one statement, whose
-- row also counts the order.
create or replace function count_groups() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_counts (list, vendor_id, status, span, starts_at, hour, delta, orders)
    select 'groups', vendor_id, status, 'ever', '-infinity', changed_in, count(*),
      count(*) filter (where is_first_of_order)
    from (
      select vendor_id, status, date_trunc('hour', order_changed_at, 'UTC') as changed_in,
        row_number() over (partition by order_id, vendor_id) = 1 as is_first_of_order
      from new_rows where vendor_id is not null
    ) as created
    group by vendor_id, status, changed_in;
    return null;
  end if;
  insert into list_counts (list, vendor_id, status, span, starts_at, hour, delta)
  select 'groups', vendor_id, status, 'ever', '-infinity',
    date_trunc('hour', order_changed_at, 'UTC') as changed_in, sum(delta)
  from (
    select vendor_id, status, order_changed_at, -1 as delta from old_rows
    union all
    select vendor_id, status, order_changed_at, 1 from new_rows
  ) as changed
  where vendor_id is not null
  group by vendor_id, status, changed_in having sum(delta) <> 0;
  if not exists (
    select from new_rows join old_rows using (id)
    where new_rows.vendor_id is distinct from old_rows.vendor_id
  ) then
    return null;
  end if;
  -- Two changes of an order must see each other, and its row is their lock.
  perform from orders where id in (select order_id from new_rows) order by id for no key update;
  insert into list_counts (list, vendor_id, status, span, starts_at, delta)
  select 'orders', vendor_id, '', 'ever', '-infinity', sum(is_after::integer - is_before::integer)
  from (
    select vendor_id,
      exists (
        select from fulfilment_groups as stored
        where stored.order_id = changed.order_id and stored.vendor_id = changed.vendor_id
      ) as is_after,
      exists (
        select from old_rows
        where old_rows.order_id = changed.order_id and old_rows.vendor_id = changed.vendor_id
      ) or exists (
        select from fulfilment_groups as stored
        where stored.order_id = changed.order_id and stored.vendor_id = changed.vendor_id
          and stored.id not in (select id from new_rows)
      ) as is_before
    from (
      select order_id, vendor_id from old_rows union select order_id, vendor_id from new_rows
    ) as changed
    where vendor_id is not null
  ) as compared
  group by vendor_id having sum(is_after::integer - is_before::integer) <> 0;
  return null;
end $$;
create or replace trigger count_new_groups after insert on fulfilment_groups
  referencing new table as new_rows for each statement execute function count_groups();
create or replace trigger count_changed_groups after update on fulfilment_groups
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_groups();
