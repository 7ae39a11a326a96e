-- Gives an order's groups new change times, each by its vendor's clock, before the change itself is
-- written; `new_vendor` is the vendor that the change gives a group without one. Each group gets
-- its own microsecond, so that a page may end between two of them.
create or replace function touch_order(of_order uuid, new_vendor uuid) returns void
language plpgsql volatile as $$
declare
  vendors uuid[];
  change_times timestamptz[];
begin
  select array_agg(vendor_id), array_agg(at) into vendors, change_times
  from next_change_times(array(
    select vendor_id from fulfilment_groups where order_id = of_order union select new_vendor
  ));
  update fulfilment_groups
  set order_changed_at = change_times[
    array_position(vendors, coalesce(ranked.vendor_id, new_vendor))
  ] + ranked.position * interval '1 microsecond'
  from (
    select id, vendor_id, row_number() over (order by id) - 1 as position
    from fulfilment_groups where order_id = of_order
  ) as ranked
  where fulfilment_groups.id = ranked.id;
end $$;
