-- The review queue is searched by words, barcode and kind. The indexes have the offers that wait for
-- a reviewer, so that a push of a live offer adds no entry.

-- The expression of db/offers/words.ts.
create index offers_awaiting_by_words on offers using gin ((
  to_tsvector('simple', regexp_replace(
    lower(regexp_replace(normalize(
      coalesce(vendor_external_id, '') || ' ' || coalesce(vendor_sku, '') || ' '
        || coalesce(raw_brand_name, '') || ' ' || coalesce(raw_product_name, '') || ' '
        || coalesce(raw_concentration, ''),
      nfkd
    ), '[\u0300-\u036f]', '', 'g')),
    '[!-/:-@\[-`{-~]+', ' ', 'g'
  ))
)) where awaiting_since is not null;
create index offers_awaiting_of_variant on offers (variant_id, awaiting_since, id)
  where awaiting_since is not null and variant_id is not null;
create index offers_awaiting_of_barcode on offers ((lpad(barcode, 14, '0')), awaiting_since, id)
  where awaiting_since is not null and barcode is not null;
create index offers_edited_awaiting on offers (awaiting_since, id)
  where awaiting_since is not null and identity_changed;

-- Two indexes for one: an unmatched offer is in one of them.
create index offers_awaiting_by_brand on offers ((lower(raw_brand_name)), awaiting_since, id)
  where awaiting_since is not null and variant_id is null;
create index offers_settled_by_brand on offers (lower(raw_brand_name))
  where awaiting_since is null and variant_id is null;
drop index offers_unmatched_by_brand;
