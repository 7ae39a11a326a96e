-- Some waiting offers with words, in no order. Its plan reads the index of the words, whatever the
-- settings of the caller.
create or replace function waiting_offers_with(given tsquery, most integer)
returns table (offer_id uuid, awaiting_since timestamptz)
language sql stable set enable_seqscan = off set enable_bitmapscan = on as $$
  select offer_id, awaiting_since from waiting_offers where words @@ given limit most
$$;
