-- Writes what a search finds an offer by, if it waits for a reviewer. Unless the offer is new to the
-- queue, it replaces the rows that it has. A variant's texts never change.
create or replace function index_waiting_offer(given offers, is_new boolean) returns void
language plpgsql volatile as $$
declare
  deleted waiting_offers;
  added waiting_offers;
  deleted_term text;
  brand text := given.raw_brand_name;
  words_of_variant tsvector := '';
begin
  if not is_new then
    delete from waiting_offers where offer_id = given.id returning * into deleted;
    -- By the whole key, so that every plan finds it by the index.
    foreach deleted_term in array coalesce(deleted.terms, '{}') loop
      delete from waiting_terms
      where term = deleted_term and awaiting_since = deleted.awaiting_since and offer_id = given.id;
    end loop;
  end if;
  if given.awaiting_since is null then return;
  end if;
  if given.variant_id is not null then
    select brand_name, words into brand, words_of_variant
    from variants where id = given.variant_id;
  end if;
  added.words := setweight(words_of(
    coalesce(given.vendor_external_id, '') || ' ' || coalesce(given.vendor_sku, '') || ' '
      || coalesce(given.raw_brand_name, '') || ' ' || coalesce(given.raw_product_name, '') || ' '
      || coalesce(given.raw_concentration, '')
  ), 'A') || setweight(words_of_variant, 'B');
  added.terms := tsvector_to_array(added.words) || array_remove(
    array[':brand:' || lower(brand), ':barcode:' || lpad(given.barcode, 14, '0')], null
  );
  insert into waiting_offers (offer_id, awaiting_since, words, terms)
  values (given.id, given.awaiting_since, added.words, added.terms);
  insert into waiting_terms (term, awaiting_since, offer_id)
  select term, given.awaiting_since, given.id from unnest(added.terms) as term;
end $$;
