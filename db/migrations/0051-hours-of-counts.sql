-- A count that has not been compacted says what happened in which hour: the compaction writes
-- activity_counts from it. Null in a compacted row, and where no statistic counts the row.
alter table offer_counts add column hour timestamptz;
alter table audit_counts
  add column vendor_id uuid,
  add column kind text,
  add column hour timestamptz;
