-- Locks offers of a vendor and their supply options until the transaction ends, and returns them.
-- It finds them by their ids, or by the external ids of its offers of source Api. The order of the
-- locks is the order of every other writer: the agreement, offers, supply options, rows by id. Each
-- statement has a new snapshot, so the result is what the rows have after the wait.
create or replace function lock_vendor_offers(
  of_vendor uuid, offer_ids uuid[], external_ids text[], timeout_ms integer
) returns table (id uuid, source text, vendor_external_id text) language plpgsql volatile as $$
declare
  applied text;
  found_ids uuid[];
begin
  applied := set_config('lock_timeout', timeout_ms::text, true);
  perform lock_agreement_shared(of_vendor);
  select array_agg(found.id) into found_ids from (
    select offers.id from offers where offers.id = any(offer_ids) and vendor_id = of_vendor
    union
    select offers.id from offers
    where vendor_id = of_vendor and offers.source = 'Api'
      and offers.vendor_external_id = any(external_ids)
  ) as found;
  return query
    select offers.id, offers.source, offers.vendor_external_id from offers
    where offers.id = any(found_ids) order by offers.id for update;
  perform from supply_options where offer_id = any(found_ids) order by supply_options.id for update;
end $$;
