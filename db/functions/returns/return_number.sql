-- A return's number as callers see it, with at least eight digits: lpad alone would cut a longer
-- number.
create or replace function return_number(number bigint) returns text language sql immutable as $$
  select 'RR-' || lpad(number::text, greatest(8, length(number::text)), '0')
$$;
