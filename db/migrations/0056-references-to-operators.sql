-- Operators are never deleted, and each row has the operator of a checked token: the check of a
-- reference locked the operator's row for each. Gives up before a writer that waits, and that holds
-- what this waits for, looks for a deadlock.
set local lock_timeout = '300ms';
alter table audit_log drop constraint if exists audit_log_operator_id_fkey;
alter table operator_commands drop constraint if exists operator_commands_operator_id_fkey;
alter table offers drop constraint if exists offers_reviewed_by_fkey;
alter table offer_approvals drop constraint if exists offer_approvals_reviewer_id_fkey;
alter table return_requests drop constraint if exists return_requests_decided_by_fkey;
