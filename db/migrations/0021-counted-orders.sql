-- list_counts also has the number of orders with a group of a vendor, as the list 'orders' without a
-- status. Orders that a process of an earlier version stores after this are added by the doctor.
alter table list_counts drop constraint list_counts_list_check;
alter table list_counts add constraint list_counts_list_check
  check (list in ('groups', 'returns', 'orders'));
insert into list_counts (list, vendor_id, status, span, starts_at, delta)
select 'orders', vendor_id, '', 'ever', '-infinity', count(distinct order_id)
from fulfilment_groups where vendor_id is not null group by vendor_id;
