-- What waits for the first attempt of a retry schedule: of new deliveries, samples, redelivered and
-- recovered ones. The primary key is the only index, and a claim changes no column of it.
create table delivery_queue (
  subscription_id uuid not null,
  due_at timestamptz not null,
  delivery_id uuid not null,
  -- The number of claims. A result counts only under the number of its claim.
  tries integer not null default 0,
  -- Until when the worker that claimed the row has it; null while nobody has it. A claim after this
  -- instant finds an attempt that was lost with its worker.
  leased_until timestamptz,
  primary key (subscription_id, due_at, delivery_id)
) with (
  fillfactor = 60, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000
);
