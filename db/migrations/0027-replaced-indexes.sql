-- offers_of_variant_by_vendor has the same order.
drop index if exists offers_of_variant;
-- Only a database of 0020-review-search.sql in its first text has these.
drop index if exists offers_awaiting_by_words;
drop index if exists offers_awaiting_of_variant;
drop index if exists offers_awaiting_of_barcode;
drop index if exists offers_awaiting_by_brand;
drop index if exists offers_settled_by_brand;
