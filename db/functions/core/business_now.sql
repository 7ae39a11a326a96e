-- The instant by a vendor's business clock: real time plus the vendor's clock_offset; real
-- time without a vendor (null). While an advance makes the clock stand, the instant at which
-- it stands. In whole milliseconds, as the API has instants. Only this function gives business
-- instants. Postgres inlines it.
create or replace function business_now(
  clock_offset interval, clock_stands_at timestamptz default null
) returns timestamptz
language sql volatile as $$
  select coalesce(
    clock_stands_at,
    date_trunc('milliseconds', clock_timestamp()) + coalesce(clock_offset, '0')
  );
$$;
