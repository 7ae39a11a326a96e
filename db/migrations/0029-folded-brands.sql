-- The candidates of an offer are of its brand.
create index concurrently variants_by_folded_brand on variants (folded_brand);
