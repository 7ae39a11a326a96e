-- Instants of the last token calls of one clientId (D12). The key is a digest, so that its size is bounded and a
-- mistyped secret is not kept. Unlogged: after a crash the window starts anew, which harms nobody.
create unlogged table token_calls (
  client_digest bytea primary key,
  called_at timestamptz[] not null
);
