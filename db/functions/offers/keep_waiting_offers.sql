-- Keeps waiting_offers. A push of stock or of another staged price changes none of the columns, so
-- it does not run.
create or replace function keep_waiting_offers() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    old.awaiting_since := null;
    perform index_waiting_offer(old, false);
  else
    perform index_waiting_offer(new, tg_op = 'INSERT' or old.awaiting_since is null);
  end if;
  return null;
end $$;
create or replace trigger keep_new_waiting_offers after insert on offers
  for each row when (new.awaiting_since is not null) execute function keep_waiting_offers();
create or replace trigger keep_changed_waiting_offers
  after update of awaiting_since, variant_id, barcode, vendor_external_id, vendor_sku,
    raw_brand_name, raw_product_name, raw_concentration
  on offers for each row
  when (
    coalesce(old.awaiting_since, new.awaiting_since) is not null
    and (old.awaiting_since, old.variant_id, old.barcode, old.vendor_external_id, old.vendor_sku,
      old.raw_brand_name, old.raw_product_name, old.raw_concentration)
      is distinct from (new.awaiting_since, new.variant_id, new.barcode, new.vendor_external_id,
      new.vendor_sku, new.raw_brand_name, new.raw_product_name, new.raw_concentration)
  )
  execute function keep_waiting_offers();
create or replace trigger keep_deleted_waiting_offers after delete on offers
  for each row when (old.awaiting_since is not null) execute function keep_waiting_offers();
