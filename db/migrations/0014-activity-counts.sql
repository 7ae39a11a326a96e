-- What happened by hour, for the operators' statistics and summaries: the sum of a key's rows, as in
-- offer_counts. Each count has a row of its vendor and one of the service, so that a total over all
-- vendors costs no more than that of one. Kept for 91 days.
create table activity_counts (
  -- The nil UUID: all vendors together.
  vendor_id uuid not null,
  kind text not null check (kind in (
    'attempt.succeeded', 'attempt.failed', 'offer.approve', 'offer.reject', 'offer.applyPrice',
    'offer.discardPrice', 'return.requested', 'return.decided',
    -- The change of the number of offers that wait for a reviewer.
    'offer.waiting'
  )),
  -- Its begin, in UTC.
  hour timestamptz not null,
  delta bigint not null,
  is_compacted boolean not null default false
);
create index activity_counts_by_key on activity_counts (vendor_id, kind, hour) include (delta);
create index activity_counts_uncompacted on activity_counts (vendor_id) where not is_compacted;
-- For the retention. An expression, so that no read of a vendor's hours takes this index.
create index activity_counts_by_age on activity_counts ((hour at time zone 'UTC'));
-- Checksum of its first text: fa4131541d8d0bbab544726126cca80e1c754aaca564707a7ac82acab5507e63
