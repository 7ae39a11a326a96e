-- What vendors do to their own credentials and profile is noted beside what operators do: a hard delete (part 4,
-- Credentials, rule 3) leaves no other trace. No reference to the credential: it may be gone.
alter table audit_log
  alter column operator_id drop not null,
  add column credential_id uuid,
  add constraint audit_log_one_actor check ((operator_id is null) <> (credential_id is null)) not valid;
alter table audit_log validate constraint audit_log_one_actor;
create index audit_log_of_credential on audit_log (credential_id, id desc) where credential_id is not null;

-- The profile that a vendor keeps itself (D55); null until it says one.
alter table vendors add column contact_email text;
