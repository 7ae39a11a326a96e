-- Finds the entries of the audit log between two instants, whose rows are in the order of time, and
-- those of an action, newest first.
create index concurrently audit_log_by_time on audit_log using brin (at);
create index concurrently audit_log_of_action on audit_log (action, id desc);
