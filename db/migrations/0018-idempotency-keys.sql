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
