-- Indexes of tables that an earlier migration changes too, so that its transaction builds none.

-- A vendor's latest rejections.
create index concurrently offers_rejected_of_vendor on offers (vendor_id, reviewed_at desc, id desc)
  where status = 'Rejected';
-- Finds the offers of a barcode, and those of one vendor with the variant or barcode of another.
create index concurrently offers_of_barcode on offers ((lpad(barcode, 14, '0')), vendor_id)
  where barcode is not null;
create index concurrently offers_of_variant_by_vendor on offers (variant_id, vendor_id)
  where variant_id is not null;
-- A database of 0020-review-search.sql in its first text has dropped it.
create index concurrently offers_unmatched_by_brand on offers (lower(raw_brand_name))
  where variant_id is null;
