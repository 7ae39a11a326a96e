-- What vendors do to their own credentials and profile is noted beside what operators do: a hard delete (part 4,
-- Credentials, rule 3) leaves no other trace. No reference to the credential: it may be gone. Each of these tables has a
-- migration of its own: whoever writes an audit entry holds a vendor's row already.
alter table audit_log
  alter column operator_id drop not null,
  add column credential_id uuid,
  add constraint audit_log_one_actor check ((operator_id is null) <> (credential_id is null)) not valid;
