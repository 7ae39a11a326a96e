-- A count of the span 'ever' that has not been compacted has the hour of the change: the compaction
-- writes the counts of the day and of the hour from it. Null in other rows.
alter table list_counts add column hour timestamptz;
