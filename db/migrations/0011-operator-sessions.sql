-- Sessions of operators in the console. Unlogged: after a crash, operators sign in again.
create unlogged table operator_sessions (
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
