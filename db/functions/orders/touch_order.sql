-- Gives an order's groups a new change time before the change itself is written; `new_vendor` is a
-- vendor that the change adds. Each group gets its own microsecond, so that a page may end between
-- two of them.
create or replace function touch_order(of_order uuid, new_vendor uuid) returns void
language plpgsql volatile as $$
declare
  changed_at timestamptz;
begin
  changed_at := next_change_time(array(
    select vendor_id from fulfilment_groups where order_id = of_order union select new_vendor
  ));
  update fulfilment_groups
  set order_changed_at = changed_at + ranked.position * interval '1 microsecond'
  from (
    select id, row_number() over (order by id) - 1 as position
    from fulfilment_groups where order_id = of_order
  ) as ranked
  where fulfilment_groups.id = ranked.id;
end $$;
