-- The step of a wait in milliseconds, or -1 for null. Eight steps double it, from a minute to a
-- year, so that the middle of a step is within 5 % of each of its waits. The first has all shorter
-- ones: each step that an hour has is a row of its counts.
create or replace function audit_wait_step(waited_ms double precision) returns smallint
language sql immutable parallel safe as $$
  select case when waited_ms is null then -1
    else least(160, floor(8 * ln(greatest(waited_ms, 60000) / 60000) / ln(2))) end::smallint
$$;
