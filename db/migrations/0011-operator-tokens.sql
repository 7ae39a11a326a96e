-- Operators whose tokens can be revoked, and commands on the server as actors (D86).

alter table operators
  -- A token carries the generation in which it was issued, and a rotation or a deactivation begins
  -- the next one: older tokens are refused, whatever the clocks say (D86).
  add column token_generation integer not null default 1,
  -- Once somebody has rotated the secret or deactivated the operator, a start with OPERATOR_ID or
  -- OPERATOR_SECRET no longer changes the operator.
  add column is_managed boolean not null default false;
create index operators_newest on operators (created_at desc, id desc);

-- A command on the server (`npm run operator`) has neither an operator nor a credential.
alter table audit_log
  add column is_command boolean not null default false,
  drop constraint audit_log_one_actor,
  add constraint audit_log_one_actor check (
    num_nonnulls(operator_id, credential_id) + is_command::int = 1
  );
