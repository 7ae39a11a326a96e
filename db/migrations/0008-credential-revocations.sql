-- The credentials that an operator switched off (D82). Only an operator removes a row. The row
-- outlives the credential, which its vendor may delete: a token that is still valid stays refused.
create table credential_revocations (
  credential_id uuid primary key,
  revoked_at timestamptz not null default now()
);
