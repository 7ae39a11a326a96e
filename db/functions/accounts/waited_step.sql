-- The step of a wait in milliseconds, or -1 for null. Eight steps double it, from a second to a year,
-- so that the middle of a step is within 5 % of each of its waits.
create or replace function waited_step(waited_ms double precision) returns smallint
language sql immutable parallel safe as $$
  select case when waited_ms is null then -1
    else least(200, floor(8 * ln(greatest(waited_ms, 1000) / 1000) / ln(2))) end::smallint
$$;
