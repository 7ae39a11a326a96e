-- A count of deliveries that has not been compacted has the hour of its successes, and a count of
-- new groups the number of their orders: the compaction writes the statistics and the count of
-- orders from them. Null and 0 in other rows.
alter table delivery_counts add column hour timestamptz;
alter table list_counts add column orders bigint not null default 0;
