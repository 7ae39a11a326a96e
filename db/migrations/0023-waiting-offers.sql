-- The offers that wait for a reviewer, by what a search finds them by. A push of stock or of another
-- staged price changes neither table.
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
-- Checksum of its first text: 6408f54c12efae5694775d4956e7ab88caf1287a222dd3f89339d27ec06179c2
