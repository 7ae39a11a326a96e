-- One index finds the counts of a key, and before them those that have not been compacted.

create index concurrently offer_counts_in_order on offer_counts
  (is_compacted, vendor_id, status, is_awaiting) include (delta);
create index concurrently attempt_counts_in_order on attempt_counts
  (is_compacted, subscription_id) include (delta);
create index concurrently audit_counts_in_order on audit_counts
  (is_compacted, operator_id) include (delta);
create index concurrently activity_counts_in_order on activity_counts
  (is_compacted, vendor_id, kind, hour) include (delta, waited_step);
create index concurrently delivery_counts_in_order on delivery_counts
  (is_compacted, state, vendor_id, event_type) include (delta);
create index concurrently list_counts_in_order on list_counts
  (is_compacted, list, vendor_id, span, starts_at, status, is_for_supplier, requires_staff_review)
  include (delta);
