-- A new row is appended to the list of pending entries, of 4 MB at most, which costs a quarter of
-- the WAL of single entries. A search reads a full list in about a millisecond.
create index concurrently waiting_offers_by_words on waiting_offers using gin (words);
