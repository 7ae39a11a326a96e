-- The indexes of 0088 have all that these have.
drop index offer_counts_of_vendor;
drop index offer_counts_uncompacted;
drop index attempt_counts_by_key;
drop index attempt_counts_uncompacted;
drop index audit_counts_by_key;
drop index audit_counts_uncompacted;
drop index if exists activity_counts_by_hour;
drop index activity_counts_uncompacted;
drop index delivery_counts_by_key;
drop index delivery_counts_uncompacted;
drop index list_counts_by_key;
drop index list_counts_uncompacted;
