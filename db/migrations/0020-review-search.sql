-- Only the offers that wait for a reviewer, so that a push of a live offer adds no entry.
create index concurrently offers_edited_awaiting on offers (awaiting_since, id)
  where awaiting_since is not null and identity_changed;
-- Checksum of its first text: 1978bb393442789a400130039e4549a6b850e3ad233d9c9243672c5055b6edc0
