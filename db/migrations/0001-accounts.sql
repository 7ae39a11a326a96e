-- Vendors and operators: who calls the API, with which secrets, and the audit log of what they do.
-- In every table, money is in whole halalas and ids are UUIDv7 from the caller.

create table vendors (
  id uuid primary key,
  name text not null,
  -- The vendor enters it in its profile (D55); null until then.
  contact_email text,
  is_active boolean not null default true,
  pricing_model text not null check (pricing_model in ('CostPlusMargin', 'PercentageOfSale')),
  -- Markup under CostPlusMargin, commission under PercentageOfSale.
  rate_basis_points integer not null check (rate_basis_points >= 0),
  -- Counts the switches of pricing model; a change of rate does not count. Offers follow a switch
  -- in batches; reads treat an offer of an earlier epoch as switched.
  agreement_epoch integer not null default 0,
  agreement_changed_at timestamptz not null default now(),
  -- The instant of each switch: element n is the switch from epoch n - 1 to epoch n.
  agreement_switch_times timestamptz[] not null default '{}',
  -- Every offer has followed up to this epoch.
  agreement_settled_epoch integer not null default 0,
  -- Counts the changes of the agreement, those of its percentage too.
  agreement_version integer not null default 0,
  created_at timestamptz not null default now(),
  -- How far a sandbox has moved a vendor's business clock ahead of real time: whole milliseconds,
  -- without days, so that no time zone changes their length. Always 0 in Production.
  clock_offset interval not null default '0'
);
create index vendors_newest on vendors (created_at desc, id desc);
create index vendors_switching on vendors (id) where agreement_settled_epoch < agreement_epoch;
-- The vendors whose clocks a sandbox has advanced: none in Production.
create index vendors_ahead on vendors (clock_offset) where clock_offset <> '0';

-- The latest advance of each vendor's clock in a sandbox (D132).
create table clock_advances (
  vendor_id uuid primary key references vendors,
  -- The business instant that the call named.
  target timestamptz not null,
  -- The vendor's clock_offset at the end of the advance.
  target_offset interval not null,
  -- The stops so far, and those of them for retries of deliveries only.
  stops integer not null default 0,
  retry_stops integer not null default 0,
  -- Null while the clock advances.
  ended_at timestamptz,
  -- Why the advance ended before its target; null if it did not.
  stop_reason text check (stop_reason in ('FailingReceivers'))
);
create index clock_advances_open on clock_advances (vendor_id) where ended_at is null;

create table credentials (
  id uuid primary key,
  vendor_id uuid not null references vendors,
  environment text not null,
  client_id text not null unique,
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  capabilities text[] not null check (
    cardinality(capabilities) > 0
    and capabilities <@ array['Offers', 'Stock', 'Cost', 'Orders', 'Account']
  ),
  expires_at timestamptz not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);
create index credentials_of_vendor on credentials (vendor_id, created_at desc, id desc);
create index credentials_by_expiry on credentials (expires_at, id) where is_active;

-- The credentials that an operator switched off (D82). Only an operator removes a row. The row
-- outlives the credential, which its vendor may delete: a token that is still valid stays refused.
create table credential_revocations (
  credential_id uuid primary key,
  revoked_at timestamptz not null default now()
);

-- The instants of a clientId's latest token calls (D12). The key is a digest: its size is bounded,
-- and a secret that was sent as a clientId is not stored. Unlogged: a crash only restarts the
-- window.
create unlogged table token_calls (
  client_digest bytea primary key,
  called_at timestamptz[] not null
);
-- The first of the kept calls: a row whose first call is two minutes old has no recent call.
create index token_calls_by_age on token_calls ((called_at[1]));

create table operators (
  id uuid primary key,
  operator_id text not null unique,
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  roles text[] not null check (
    cardinality(roles) > 0 and roles <@ array['Reviewer', 'Operations', 'Admin']
  ),
  is_active boolean not null default true,
  -- A token carries the generation in which it was issued, and a rotation or a deactivation begins
  -- the next one: older tokens are refused, whatever the clocks say (D86).
  token_generation integer not null default 1,
  -- Once an admin has rotated the secret or deactivated the operator, a start with OPERATOR_ID or
  -- OPERATOR_SECRET no longer changes the operator.
  is_managed boolean not null default false,
  created_at timestamptz not null default now()
);
create index operators_newest on operators (created_at desc, id desc);

-- Sessions of operators in the console. Logged, because sessions survive a crash and a switch to a
-- replica, when operators have the most to do.
create table operator_sessions (
  -- SHA-256 of the 256 random bits in the cookie.
  id_sha256 bytea primary key check (length(id_sha256) = 32),
  operator_id uuid not null references operators,
  -- A rotation of the secret or a deactivation begins the next generation, which ends the session.
  token_generation integer not null,
  begun_at timestamptz not null default clock_timestamp(),
  used_at timestamptz not null default clock_timestamp()
);
create index operator_sessions_of_operator on operator_sessions (operator_id);
create index operator_sessions_by_age on operator_sessions (begun_at);

-- The offer that each operator read last, so that reviewers see each other (D157). Unlogged: after a
-- crash, a reviewer is missing until the next read.
create unlogged table operator_looks (
  operator_id uuid primary key references operators,
  offer_id uuid not null,
  looked_at timestamptz not null default clock_timestamp()
);

-- An operator's request to a workflow. The workflow receives this id only, so free text never
-- reaches a Temporal history. The row makes the decision idempotent: it is applied once and keeps
-- its result.
create table operator_commands (
  id uuid primary key,
  operator_id uuid not null references operators,
  action text not null,
  subject_id uuid not null,
  input jsonb not null,
  request_id text not null,
  created_at timestamptz not null default now(),
  -- The caller waits until then. A later step does not apply the command: the caller has its 504,
  -- and may have decided otherwise since.
  valid_until timestamptz not null,
  applied_at timestamptz,
  result jsonb
);

-- What operators do, and what vendors do to their own credentials and profile: a deleted credential
-- leaves no other trace (part 4, Credentials, rule 3), so `credential_id` references nothing.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  operator_id uuid references operators,
  credential_id uuid,
  -- A command on the server (`npm run operator`) has neither an operator nor a credential.
  is_command boolean not null default false,
  action text not null,
  subject_type text not null,
  subject_id uuid not null,
  request_id text not null,
  before jsonb,
  after jsonb,
  constraint audit_log_one_actor check (
    num_nonnulls(operator_id, credential_id) + is_command::int = 1
  )
);
create index audit_log_of_operator on audit_log (operator_id, id desc);
create index audit_log_of_subject on audit_log (subject_id, id desc);

-- The number of entries of the audit log by operator: the sum of its rows, as in offer_counts.
create table audit_counts (
  -- The nil UUID: entries of vendors and of commands on the server.
  operator_id uuid not null,
  delta bigint not null,
  is_compacted boolean not null default false
);

-- Answers of calls that had an Idempotency-Key (D92), for 24 hours.
create table idempotency_keys (
  -- SHA-256 of the caller and its key.
  id bytea primary key,
  -- Null for a call of an operator. It refers to no row: a check of the reference could wait for a
  -- lock on the vendor after the transaction has got a change time.
  vendor_id uuid,
  -- SHA-256 of the method, the path and the body.
  request_sha256 bytea not null,
  status smallint not null,
  -- The body of the answer, which may have a secret, under a key of SECRETS_KEY.
  answer_sealed bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
