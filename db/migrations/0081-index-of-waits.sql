-- The statistics read the steps of the waits from the index, as they read the counts.
create index concurrently activity_counts_by_hour
  on activity_counts (vendor_id, kind, hour) include (delta, waited_step);
