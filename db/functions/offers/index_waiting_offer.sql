-- Writes what a search finds an offer by, if it waits for a reviewer: its words, the words of
-- its variant, `:brand:` with the brand and `:barcode:` with the GTIN-14. No word has a colon.
-- Unless the offer is new to the queue, it replaces the row if it differs. A variant's texts never
-- change.
create or replace function index_waiting_offer(given offers, is_new boolean) returns void
language plpgsql volatile as $$
declare
  stored waiting_offers;
  added waiting_offers;
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
    ), 'A') || setweight(coalesce(words_of_variant, ''), 'B') || array_to_tsvector(array_remove(
      array[
        ':brand:' || left(fold_name(brand), 255), ':barcode:' || lpad(given.barcode, 14, '0')
      ], null
    ));
  end if;
  if not is_new then
    select * into stored from waiting_offers where offer_id = given.id;
    if stored is not distinct from added then return;
    end if;
    delete from waiting_offers where offer_id = given.id;
  end if;
  if given.awaiting_since is null then return;
  end if;
  insert into waiting_offers select added.*;
end $$;
