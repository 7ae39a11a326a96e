-- The spans of list_counts that an instant falls into.
create or replace function time_spans(at timestamptz)
returns table (span text, starts_at timestamptz)
language sql immutable as $$
  values ('ever', '-infinity'::timestamptz),
    ('day', date_trunc('day', at, 'UTC')),
    ('hour', date_trunc('hour', at, 'UTC'))
$$;
