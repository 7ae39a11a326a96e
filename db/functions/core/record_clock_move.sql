-- Records a move of a vendor's clock in clock_moves, in whole milliseconds and in the order of the
-- moves, even if the clock of Postgres was set back.
create or replace function record_clock_move() returns trigger language plpgsql as $$
begin
  insert into clock_moves (vendor_id, moved_at, clock_offset, stands_at)
  values (new.id, greatest(
    date_trunc('milliseconds', clock_timestamp()),
    (select max(moved_at) from clock_moves where vendor_id = new.id)
  ), new.clock_offset, new.clock_stands_at)
  on conflict (vendor_id, moved_at) do update
  set clock_offset = excluded.clock_offset, stands_at = excluded.stands_at;
  return null;
end $$;
create or replace trigger record_clock_move after update of clock_offset, clock_stands_at on vendors
  for each row when (
    (old.clock_offset, old.clock_stands_at) is distinct from
    (new.clock_offset, new.clock_stands_at)
  )
  execute function record_clock_move();
