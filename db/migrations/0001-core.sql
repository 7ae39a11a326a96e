-- The record: vendors, credentials, operators, the catalog's variants, offers and what follows from them.
-- Money is whole halalas; ids are UUIDv7 made by the caller; every enumeration is held by a check.

create table vendors (
  id uuid primary key,
  name text not null,
  is_active boolean not null default true,
  pricing_model text not null check (pricing_model in ('CostPlusMargin', 'PercentageOfSale')),
  -- Markup under CostPlusMargin, commission under PercentageOfSale.
  rate_basis_points integer not null check (rate_basis_points >= 0),
  created_at timestamptz not null default now()
);
create index vendors_newest on vendors (created_at desc, id desc);

create table credentials (
  id uuid primary key,
  vendor_id uuid not null references vendors,
  environment text not null,
  client_id text not null unique,
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  capabilities text[] not null check (
    cardinality(capabilities) > 0
    and capabilities <@ array['Offers', 'Stock', 'Cost', 'Orders', 'Account']
  ),
  expires_at timestamptz not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);
create index credentials_of_vendor on credentials (vendor_id, created_at desc, id desc);

create table operators (
  id uuid primary key,
  operator_id text not null unique,
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  roles text[] not null check (
    cardinality(roles) > 0 and roles <@ array['Reviewer', 'Operations', 'Admin']
  ),
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);

create table variants (
  id uuid primary key,
  sku text not null unique,
  brand_name text not null,
  product_name text not null,
  concentration text,
  size_ml integer,
  barcode text,
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);
create index variants_newest on variants (created_at desc, id desc);

create table offers (
  id uuid primary key,
  vendor_id uuid not null references vendors,
  status text not null check (status in (
    'Draft', 'PendingMatch', 'PendingReview', 'Approved', 'Rejected', 'Withdrawn', 'Suspended', 'PendingRepricing'
  )),
  source text not null check (source in ('Manual', 'Import', 'Api')),
  pricing_model text not null check (pricing_model in ('CostPlusMargin', 'PercentageOfSale')),
  variant_id uuid references variants,
  vendor_sku text,
  vendor_external_id text,
  barcode text,
  raw_brand_name text,
  raw_product_name text,
  raw_concentration text,
  raw_description text,
  raw_size_ml integer,
  cost_net integer not null check (cost_net >= 0),
  cost_vat integer not null check (cost_vat >= 0),
  cost_entered_vat_inclusive boolean not null,
  pending_cost_net integer,
  pending_cost_vat integer,
  pending_cost_entered_vat_inclusive boolean,
  price_net integer,
  price_vat integer,
  price_entered_vat_inclusive boolean,
  pending_price_net integer,
  pending_price_vat integer,
  pending_price_entered_vat_inclusive boolean,
  declared_stock_quantity integer check (declared_stock_quantity >= 0),
  declared_in_stock boolean not null,
  ever_approved boolean not null default false,
  -- Since when a reviewer is awaited: the review queue's order.
  awaiting_since timestamptz,
  reviewed_by uuid references operators,
  reviewed_at timestamptz,
  review_reason text,
  version integer not null default 1,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
-- The idempotency key of create-offer (D22).
create unique index offers_external_id on offers (vendor_id, vendor_external_id)
  where vendor_external_id is not null;
-- The review queue: oldest waiting first.
create index offers_awaiting on offers (awaiting_since, id) where awaiting_since is not null;
create index offers_queue on offers (awaiting_since, created_at desc, id desc);
create index offers_of_vendor on offers (vendor_id, created_at desc, id desc);

-- What an approved offer sells as (D35). One for each offer; paused when it must not sell.
create table supply_options (
  id uuid primary key,
  offer_id uuid not null unique references offers,
  vendor_id uuid not null references vendors,
  variant_id uuid not null references variants,
  net integer not null,
  -- A markup may take it beyond an integer.
  sell_net bigint not null,
  payout_net integer not null,
  stock_quantity integer,
  in_stock boolean not null,
  is_paused boolean not null default false,
  updated_at timestamptz not null
);

-- Every status an offer has had, for include=history.
create table offer_status_changes (
  id bigint generated always as identity primary key,
  offer_id uuid not null references offers,
  from_status text,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index offer_status_changes_of_offer on offer_status_changes (offer_id, id);

-- What an operator asked a workflow to do. The workflow is told this id only, so that no free text reaches a
-- Temporal history; the row is also what makes the decision idempotent: it is applied once, and remembers its result.
create table operator_commands (
  id uuid primary key,
  operator_id uuid not null references operators,
  action text not null,
  subject_id uuid not null,
  input jsonb not null,
  request_id text not null,
  created_at timestamptz not null default now(),
  -- Until when its caller waits. Later it is not applied any more: the caller was told 504, and may have decided otherwise.
  valid_until timestamptz not null,
  applied_at timestamptz,
  result jsonb
);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  operator_id uuid not null references operators,
  action text not null,
  subject_type text not null,
  subject_id uuid not null,
  request_id text not null,
  before jsonb,
  after jsonb
);
create index audit_log_of_operator on audit_log (operator_id, id desc);
create index audit_log_of_subject on audit_log (subject_id, id desc);
