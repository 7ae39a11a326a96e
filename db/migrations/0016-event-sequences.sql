-- Each vendor's events have numbers without gaps, and stay for the event feed although no
-- subscription receives them. Samples, and events of before this migration, have no number.

create table event_sequences (
  vendor_id uuid primary key references vendors,
  -- The number of the vendor's latest event. A transaction that emits events locks the row until
  -- its end, so numbers become visible in their order.
  latest bigint not null,
  -- Every event after this number is stored; the retention has deleted earlier ones.
  expired_through bigint not null default 0,
  check (expired_through between 0 and latest)
) with (fillfactor = 50);

alter table webhook_events add column sequence bigint;
-- The number of deliveries that the event began with; null where it is not known.
alter table webhook_events add column receivers integer;
create unique index webhook_events_in_sequence on webhook_events (vendor_id, sequence)
  where sequence is not null;

alter table webhook_subscriptions drop constraint webhook_subscriptions_event_types_check;
alter table webhook_subscriptions add constraint webhook_subscriptions_event_types_check check (
  cardinality(event_types) > 0
  and event_types <@ array[
    'vendor.order.assigned', 'vendor.offer.review-decision', 'vendor.order.changed',
    'vendor.offer.agreement-switched', 'vendor.return.requested', 'vendor.return.received',
    'vendor.return.inspection-started', 'vendor.return.inspection-closing',
    'vendor.return.decided', 'vendor.return.refund-released', 'vendor.webhook.disabled',
    'vendor.webhook.delivery-dead-lettered'
  ]
);

-- The time before the end of the inspection window at which the vendor gets an event; 0: none.
alter table return_requests add column inspection_closing_ms bigint not null default 0
  check (inspection_closing_ms >= 0);
alter table return_requests add column closing_announced_at timestamptz;
