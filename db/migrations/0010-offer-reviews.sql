-- What a reviewer judges has its own counters (D83): the review version of an offer is their sum.
alter table offers add column judged_version integer not null default 1;
-- Counts the changes of the agreement, those of its percentage too.
alter table vendors add column agreement_version integer not null default 0;

-- Offers of each source have external ids of their own (D77).
drop index offers_external_id;
create unique index offers_external_id on offers (vendor_id, vendor_external_id, source)
  where vendor_external_id is not null;

-- The change time (D80): the order of lists with changedSince. The database sets it, because times
-- of one vendor must become visible in their order. `changed_at` is the instant of the command.
alter table offers add column change_time timestamptz not null default clock_timestamp();
update offers set change_time = changed_at;
drop index offers_of_vendor_by_change;
create index offers_of_vendor_by_change on offers (vendor_id, change_time, id);
alter table past_changes drop constraint past_changes_list_check,
  add constraint past_changes_list_check check (list in ('groups', 'returns', 'offers'));
alter table page_snapshots drop constraint page_snapshots_list_check,
  add constraint page_snapshots_list_check check (list in ('groups', 'returns', 'offers'));
