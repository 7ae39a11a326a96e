-- The operators' list of offers of a status: those that wait by their wait, then the others, newest
-- first. Each offer is in one of the two indexes, and an approved one that waits for nothing in
-- none: a stock push, normally on one of them, adds no entry. The list finds them in offers_queue.

-- The expression of db/offers/lists/review-queue.ts. No other index has this order, so no estimate
-- makes Postgres read the waiting offers of all statuses.
create index offers_awaiting_of_status
  on offers (status, (coalesce(awaiting_since, 'infinity')), created_at desc, id desc)
  where awaiting_since is not null;
create index offers_of_status on offers (status, created_at desc, id desc)
  where awaiting_since is null and status <> 'Approved';
