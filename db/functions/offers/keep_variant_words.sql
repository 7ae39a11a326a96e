-- Keeps what a search finds a variant by.
create or replace function keep_variant_words() returns trigger language plpgsql as $$
begin
  new.words := words_of(
    new.brand_name || ' ' || new.product_name || ' ' || coalesce(new.concentration, '') || ' '
      || new.sku
  );
  new.folded_brand := fold_name(new.brand_name);
  return new;
end $$;
create or replace trigger keep_variant_words
  before insert or update of brand_name, product_name, concentration, sku, words on variants
  for each row execute function keep_variant_words();
