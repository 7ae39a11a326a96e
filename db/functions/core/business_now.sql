-- The instant by a vendor's business clock (D131): real time plus the vendor's clock_offset; real
-- time without a vendor (null). In whole milliseconds, as the API has instants. Only this function
-- gives business instants. Postgres inlines it.
create or replace function business_now(clock_offset interval) returns timestamptz
language sql volatile as $$
  select date_trunc('milliseconds', clock_timestamp()) + coalesce(clock_offset, '0');
$$;
