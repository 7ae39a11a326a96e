-- The offer that each operator read last, so that reviewers see each other (D157). Unlogged: after a
-- crash, a reviewer is missing until the next read.
create unlogged table operator_looks (
  operator_id uuid primary key references operators,
  offer_id uuid not null,
  looked_at timestamptz not null default clock_timestamp()
);
