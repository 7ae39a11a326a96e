-- A malformed item may name an offer of the vendor. Its result shows the id, and the item does not
-- count as the first one for the offer.
alter table bulk_job_results add column is_malformed boolean not null default false;
