-- Finds the entries of the audit log between two instants, and those of an action, newest first.
create index concurrently audit_log_by_time on audit_log (at desc, id desc);
create index concurrently audit_log_of_action on audit_log (action, id desc);
