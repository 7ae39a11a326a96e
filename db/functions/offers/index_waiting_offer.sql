-- Writes what a search finds an offer by, if it waits for a reviewer. Unless the offer is new to the
-- queue, it replaces what differs of the rows that it has. A variant's texts never change.
create or replace function index_waiting_offer(given offers, is_new boolean) returns void
language plpgsql volatile as $$
declare
  stored waiting_offers;
  added waiting_offers;
  stored_term text;
  brand text := given.raw_brand_name;
  words_of_variant tsvector := '';
begin
  if given.awaiting_since is not null then
    if given.variant_id is not null then
      select brand_name, words into brand, words_of_variant
      from variants where id = given.variant_id;
    end if;
    added.offer_id := given.id;
    added.awaiting_since := given.awaiting_since;
    added.words := setweight(words_of(
      coalesce(given.vendor_external_id, '') || ' ' || coalesce(given.vendor_sku, '') || ' '
        || coalesce(given.raw_brand_name, '') || ' ' || coalesce(given.raw_product_name, '') || ' '
        || coalesce(given.raw_concentration, '')
    ), 'A') || setweight(coalesce(words_of_variant, ''), 'B');
    added.terms := tsvector_to_array(added.words) || array_remove(
      array[':brand:' || fold_name(brand), ':barcode:' || lpad(given.barcode, 14, '0')], null
    );
  end if;
  if not is_new then
    select * into stored from waiting_offers where offer_id = given.id;
    if stored is not distinct from added then return;
    end if;
    if (stored.awaiting_since, stored.terms) = (added.awaiting_since, added.terms) then
      update waiting_offers set words = added.words where offer_id = given.id;
      return;
    end if;
    delete from waiting_offers where offer_id = given.id;
    -- By the whole key, so that every plan finds it by the index.
    foreach stored_term in array coalesce(stored.terms, '{}') loop
      delete from waiting_terms
      where term = stored_term and awaiting_since = stored.awaiting_since and offer_id = given.id;
    end loop;
  end if;
  if given.awaiting_since is null then return;
  end if;
  insert into waiting_offers select added.*;
  insert into waiting_terms (term, awaiting_since, offer_id)
  select term, given.awaiting_since, given.id from unnest(added.terms) as term;
end $$;
