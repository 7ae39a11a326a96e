-- Vendors search the active variants: by the words of their texts, and by barcode. A GTIN may be
-- written with leading zeros. Words are compared without accents, case and punctuation.
alter table variants add column words tsvector generated always as (
  to_tsvector('simple', regexp_replace(
    lower(regexp_replace(
      normalize(brand_name || ' ' || product_name || ' ' || coalesce(concentration, '') || ' ' || sku, nfkd),
      '[\u0300-\u036f]', '', 'g'
    )),
    '[!-/:-@\[-`{-~]+', ' ', 'g'
  ))
) stored;
create index variants_by_words on variants using gin (words) where is_active;
create index variants_by_barcode on variants (lpad(barcode, 14, '0')) where is_active;
create index variants_active_newest on variants (created_at desc, id desc) where is_active;
