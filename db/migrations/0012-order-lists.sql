-- Operators' list of orders, the newest first, also of those with a group in a status.
create index orders_newest on orders (created_at desc, id desc);
create index fulfilment_groups_by_status on fulfilment_groups (status, order_created_at, id);
