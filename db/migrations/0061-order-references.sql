-- Operators find an order by the references that its vendor has given to a shipment.
create index concurrently fulfilment_groups_by_tracking
  on fulfilment_groups (lower(tracking_ref)) where tracking_ref is not null;
create index concurrently fulfilment_groups_by_vendor_order
  on fulfilment_groups (lower(vendor_order_id)) where vendor_order_id is not null;
