-- The offers that wait for a reviewer, by what a search finds them by. A push of stock or of another
-- staged price changes neither table. The doctor adds offers that begin to wait between this and the
-- triggers.
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

with added as (
  insert into waiting_offers (offer_id, awaiting_since, words, terms)
  select offers.id, awaiting_since, described.words,
    tsvector_to_array(described.words)
      || array_remove(
        array[':brand:' || lower(brand), ':barcode:' || lpad(offers.barcode, 14, '0')], null
      )
  from offers left join variants on variants.id = offers.variant_id
  cross join lateral (
    select
      setweight(to_tsvector('simple', regexp_replace(
        lower(regexp_replace(normalize(
          coalesce(vendor_external_id, '') || ' ' || coalesce(vendor_sku, '') || ' '
            || coalesce(raw_brand_name, '') || ' ' || coalesce(raw_product_name, '') || ' '
            || coalesce(raw_concentration, ''),
          nfkd
        ), '[\u0300-\u036f]', '', 'g')),
        '[!-/:-@\[-`{-~]+', ' ', 'g'
      )), 'A') || setweight(coalesce(variants.words, ''), 'B') as words,
      case when variant_id is null then raw_brand_name else brand_name end as brand
    offset 0
  ) as described
  where awaiting_since is not null
  returning *
)
insert into waiting_terms (term, awaiting_since, offer_id)
select term, awaiting_since, offer_id from added cross join unnest(terms) as term;

drop index offers_awaiting_by_words;
drop index offers_awaiting_of_variant;
drop index offers_awaiting_of_barcode;
drop index offers_awaiting_by_brand;
drop index offers_settled_by_brand;
create index offers_unmatched_by_brand on offers (lower(raw_brand_name)) where variant_id is null;
