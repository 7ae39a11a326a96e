-- Offers, whole: the vendor's own list, and the agreement switch.

-- A switch of model is one row here; the offers follow in batches, and count as switched from this moment on: what is
-- behind its vendor's epoch is read as if it had followed. Rate changes do not count.
alter table vendors
  add column agreement_epoch integer not null default 0,
  add column agreement_changed_at timestamptz not null default now(),
  -- The instant of each switch, so that an offer that follows several at once tells the time of the one that moved it.
  add column agreement_switches timestamptz[] not null default '{}',
  -- Up to this epoch every offer has followed.
  add column agreement_settled_epoch integer not null default 0;
create index vendors_switching on vendors (id) where agreement_settled_epoch < agreement_epoch;

alter table offers
  add column agreement_epoch integer not null default 0,
  -- Since the last approval, so that a suspended offer that was edited is reviewed before it sells again.
  add column identity_changed boolean not null default false;
create index offers_behind on offers (vendor_id, agreement_epoch, id);
create index offers_of_vendor_by_status on offers (vendor_id, status, created_at desc, id desc);
create index offers_of_vendor_by_change on offers (vendor_id, changed_at, id);
create index offers_of_vendor_by_sku on offers (vendor_id, vendor_sku) where vendor_sku is not null;

-- The agreement that the option's prices come from. Null: a process of an earlier version wrote it.
alter table supply_options
  add column pricing_model text check (pricing_model in ('CostPlusMargin', 'PercentageOfSale')),
  add column rate_basis_points integer;
update supply_options set pricing_model = vendors.pricing_model, rate_basis_points = vendors.rate_basis_points
from vendors where vendors.id = supply_options.vendor_id;
create index supply_options_by_rate on supply_options (vendor_id, pricing_model, rate_basis_points, id);

-- Whoever writes an offer holds the agreement that it was judged under until the write is in: a switch waits for those before
-- it, and those behind it wait for the switch. An advisory lock, since its queue is fair: with row locks a busy vendor's
-- writers would keep a switch waiting for seconds. The epoch is read after the wait, by a snapshot of its own.
create function lock_agreement_shared(of_vendor uuid) returns integer language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(of_vendor::text, 1));
  return (select agreement_epoch from vendors where id = of_vendor);
end $$;
create function lock_agreement(of_vendor uuid) returns void language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(of_vendor::text, 1));
end $$;

-- What may wait: the relay takes a few of those a second, so that thousands at once keep nobody else waiting.
alter table outbox add column may_wait boolean not null default false;
create index outbox_at_once on outbox (id) where not may_wait;
create index outbox_may_wait on outbox (id) where may_wait;
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (kind in ('offerReview', 'webhookDelivery', 'agreementSwitch'));
