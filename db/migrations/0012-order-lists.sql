-- Operators' list of orders, the newest first, also of those with a group in a status.
create index concurrently orders_newest on orders (created_at desc, id desc);
create index concurrently fulfilment_groups_by_status
  on fulfilment_groups (status, order_created_at, id);
-- Checksum of its first text: 63682ff3b883660322f08faa72a1c2ea91aa4fe45be8841a329a7b562e57134d
