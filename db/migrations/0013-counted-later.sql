-- A list of many offers stores its snapshot first, and counts once writers go on. Null: not counted.
alter table page_snapshots alter column total_count drop not null;
-- What a list of offers filters by beside the status, as at that place.
alter table past_changes add column vendor_sku text, add column vendor_external_id text;
