-- The catalog's variants, the vendors' offers, and the supply options of approved offers.

create table variants (
  id uuid primary key,
  sku text not null unique,
  brand_name text not null,
  product_name text not null,
  concentration text,
  size_ml integer,
  barcode text,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  -- Vendors search by the words of the texts, without accents, case and punctuation.
  words tsvector generated always as (
    to_tsvector('simple', regexp_replace(
      lower(regexp_replace(
        normalize(
          brand_name || ' ' || product_name || ' ' || coalesce(concentration, '') || ' ' || sku,
          nfkd
        ),
        '[\u0300-\u036f]', '', 'g'
      )),
      '[!-/:-@\[-`{-~]+', ' ', 'g'
    ))
  ) stored
);
create index variants_newest on variants (created_at desc, id desc);
create index variants_active_newest on variants (created_at desc, id desc) where is_active;
create index variants_by_words on variants using gin (words) where is_active;
-- Operators also search the variants that are switched off.
create index variants_inactive_by_words on variants using gin (words) where not is_active;
-- A GTIN may be written with leading zeros.
create index variants_by_barcode on variants (lpad(barcode, 14, '0')) where is_active;
create index variants_inactive_by_barcode on variants (lpad(barcode, 14, '0'))
  where not is_active;
create index variants_by_brand on variants (lower(brand_name));

create table offers (
  id uuid primary key,
  vendor_id uuid not null references vendors,
  status text not null check (status in (
    'Draft', 'PendingMatch', 'PendingReview', 'Approved', 'Rejected', 'Withdrawn', 'Suspended',
    'PendingRepricing'
  )),
  source text not null check (source in ('Manual', 'Import', 'Api')),
  pricing_model text not null check (pricing_model in ('CostPlusMargin', 'PercentageOfSale')),
  -- The vendor's agreement epoch that the offer has followed to.
  agreement_epoch integer not null default 0,
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
  sale_price_net integer,
  sale_price_vat integer,
  sale_price_entered_vat_inclusive boolean,
  pending_sale_price_net integer,
  pending_sale_price_vat integer,
  pending_sale_price_entered_vat_inclusive boolean,
  declared_stock_quantity integer check (declared_stock_quantity >= 0),
  declared_in_stock boolean not null,
  ever_approved boolean not null default false,
  -- Since the last approval: a suspended offer that was edited is reviewed before it sells again.
  identity_changed boolean not null default false,
  -- Since when the offer waits for a reviewer: the order of the review queue.
  awaiting_since timestamptz,
  reviewed_by uuid references operators,
  reviewed_at timestamptz,
  review_reason text,
  version integer not null default 1,
  -- What a reviewer judges has its own counters (D83): the review version is the sum of this one
  -- and the vendor's agreement_version.
  judged_version integer not null default 1,
  created_at timestamptz not null,
  -- The instant of the command.
  changed_at timestamptz not null,
  -- The order of lists with changedSince (D80). The database sets it, because times of one vendor
  -- must become visible in their order.
  change_time timestamptz not null default clock_timestamp()
);
-- The idempotency key of create-offer (D22). Offers of each source have ids of their own (D77).
create unique index offers_external_id on offers (vendor_id, vendor_external_id, source)
  where vendor_external_id is not null;
create index offers_awaiting on offers (awaiting_since, id) where awaiting_since is not null;
create index offers_awaiting_of_vendor on offers (vendor_id, awaiting_since, id)
  where awaiting_since is not null;
-- Only the offers that wait for a reviewer, so that a push of a live offer adds no entry.
create index offers_edited_awaiting on offers (awaiting_since, id)
  where awaiting_since is not null and identity_changed;
-- The reconciliation reads what waits in the order of ids.
create index offers_awaiting_by_id on offers (id) where awaiting_since is not null;
create index offers_queue on offers (awaiting_since, created_at desc, id desc);
-- The operators' list of offers of a status: those that wait by their wait, then the others, newest
-- first. Each offer is in one of the two indexes, and an approved one that waits for nothing in
-- none: a stock push, normally on one of them, adds no entry. The list finds them in offers_queue.

-- The expression of db/offers/lists/review-queue.ts. No other index has this order, so no estimate
-- makes Postgres read the waiting offers of all statuses.
create index offers_awaiting_of_status
  on offers (status, (coalesce(awaiting_since, 'infinity')), created_at desc, id desc)
  where awaiting_since is not null;
create index offers_of_status on offers (status, created_at desc, id desc)
  where awaiting_since is null and status <> 'Approved';
create index offers_of_vendor on offers (vendor_id, created_at desc, id desc);
create index offers_of_vendor_by_status on offers (vendor_id, status, created_at desc, id desc);
create index offers_of_vendor_by_change on offers (vendor_id, change_time, id);
create index offers_of_vendor_by_sku on offers (vendor_id, vendor_sku) where vendor_sku is not null;
create index offers_of_vendor_by_epoch on offers (vendor_id, agreement_epoch, id);
-- The filters of the operators' list of offers. The expression is that of
-- db/offers/lists/review-queue.ts.
create index offers_by_price_change on offers ((
  case when pricing_model = 'CostPlusMargin'
    then (pending_cost_net - cost_net) * 100.0 / nullif(cost_net, 0)
    else (pending_sale_price_net - sale_price_net) * 100.0 / nullif(sale_price_net, 0) end
), awaiting_since, id) where pending_cost_net is not null or pending_sale_price_net is not null;
create index offers_unmatched_by_brand on offers (lower(raw_brand_name)) where variant_id is null;

-- What an approved offer sells as (D35): one for each offer, paused while it must not sell.
create table supply_options (
  id uuid primary key,
  offer_id uuid not null unique references offers,
  vendor_id uuid not null references vendors,
  variant_id uuid not null references variants,
  net integer not null,
  -- With the markup it may exceed an integer.
  sell_net bigint not null,
  payout_net integer not null,
  -- The agreement behind the prices; a null rate is unknown, and the next repricing replaces it.
  pricing_model text check (pricing_model in ('CostPlusMargin', 'PercentageOfSale')),
  rate_basis_points integer,
  stock_quantity integer,
  in_stock boolean not null,
  is_paused boolean not null default false,
  updated_at timestamptz not null
);
create index supply_options_by_rate
  on supply_options (vendor_id, pricing_model, rate_basis_points, id);

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

-- What a reviewer judged, at each approval of an offer or of a staged price (D135).
create table offer_approvals (
  id bigint generated always as identity primary key,
  offer_id uuid not null references offers,
  reviewer_id uuid not null references operators,
  at timestamptz not null,
  judged jsonb not null
);
create index offer_approvals_of_offer on offer_approvals (offer_id, id);

-- The offers that wait for a reviewer, by what a search finds them by. A push of stock or of another
-- staged price changes neither table.
create table waiting_offers (
  offer_id uuid primary key,
  awaiting_since timestamptz not null,
  -- The vendor's words with the weight A, those of the variant with B.
  words tsvector not null,
  -- The words, `:brand:` with the brand, and `:barcode:` with the GTIN-14. No word has a colon.
  terms text[] not null
);
-- The offers with a term in the order of the queue.
create table waiting_terms (
  term text collate "C" not null,
  awaiting_since timestamptz not null,
  offer_id uuid not null,
  primary key (term, awaiting_since, offer_id)
);

-- The number of offers by key: the sum of a key's rows. A change inserts rows and updates none, so
-- concurrent writers do not block each other; the worker compacts each key into one row from time
-- to time. A list's total therefore costs the same at a thousand and at a million offers.
create table offer_counts (
  vendor_id uuid not null,
  status text not null,
  is_awaiting boolean not null,
  delta bigint not null,
  is_compacted boolean not null default false
);
