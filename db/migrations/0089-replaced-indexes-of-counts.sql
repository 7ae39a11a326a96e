-- The indexes of 0088 have all that these have.
drop index concurrently if exists offer_counts_of_vendor;
drop index concurrently if exists offer_counts_uncompacted;
drop index concurrently if exists attempt_counts_by_key;
drop index concurrently if exists attempt_counts_uncompacted;
drop index concurrently if exists audit_counts_by_key;
drop index concurrently if exists audit_counts_uncompacted;
drop index concurrently if exists activity_counts_by_hour;
drop index concurrently if exists activity_counts_uncompacted;
drop index concurrently if exists delivery_counts_by_key;
drop index concurrently if exists delivery_counts_uncompacted;
drop index concurrently if exists list_counts_by_key;
drop index concurrently if exists list_counts_uncompacted;
