-- Orders, and the fulfilment groups that vendors ship.

create table orders (
  id uuid primary key,
  ship_recipient text not null,
  ship_line1 text not null,
  ship_line2 text,
  ship_city text not null,
  ship_region text,
  ship_postal_code text,
  ship_country text not null,
  ship_phone text not null,
  created_at timestamptz not null
);
create index orders_newest on orders (created_at desc, id desc);

create table fulfilment_groups (
  id uuid primary key,
  order_id uuid not null references orders,
  -- Null: the service ships it itself, or it waits for a source.
  vendor_id uuid references vendors,
  status text not null check (status in (
    'Pending', 'Packed', 'Shipped', 'Delivered', 'Cancelled', 'Returned', 'PendingSourcing'
  )),
  vendor_order_id text,
  tracking_ref text,
  carrier text not null check (carrier in ('CarrierA', 'CarrierB', 'CarrierC', 'Other')),
  carrier_name_other text check (carrier_name_other is null or carrier = 'Other'),
  packed_at timestamptz,
  shipped_at timestamptz,
  delivered_at timestamptz,
  -- Both are the order's. Stored here, so that one index scan reads a page.
  order_created_at timestamptz not null,
  order_changed_at timestamptz not null,
  check (vendor_id is null or status <> 'PendingSourcing')
);
create index fulfilment_groups_of_order on fulfilment_groups (order_id);
-- Operators list the orders that have a group in a status.
create index fulfilment_groups_by_status on fulfilment_groups (status, order_created_at, id);
create index fulfilment_groups_of_vendor on fulfilment_groups (vendor_id, order_created_at, id);
create index fulfilment_groups_of_vendor_by_status
  on fulfilment_groups (vendor_id, status, order_created_at, id);
create index fulfilment_groups_of_vendor_by_change
  on fulfilment_groups (vendor_id, order_changed_at, id);
create index fulfilment_groups_of_vendor_by_status_and_change
  on fulfilment_groups (vendor_id, status, order_changed_at, id);

create table order_lines (
  id uuid primary key,
  group_id uuid not null references fulfilment_groups,
  position integer not null,
  variant_id uuid not null references variants,
  quantity integer not null check (quantity > 0)
);
create index order_lines_of_group on order_lines (group_id, position);
