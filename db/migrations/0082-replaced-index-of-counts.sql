-- activity_counts_by_hour has all that it has.
drop index activity_counts_by_key;
