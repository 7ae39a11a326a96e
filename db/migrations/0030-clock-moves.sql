-- When a sandbox has moved a vendor's clock, its offset from then on, and where it stands: what shows
-- instants that are stored in real time by the vendor's clock (D173). A trigger on vendors writes
-- it. Empty in Production.
create table clock_moves (
  vendor_id uuid not null references vendors,
  moved_at timestamptz not null,
  clock_offset interval not null,
  stands_at timestamptz,
  primary key (vendor_id, moved_at)
);
-- Of earlier moves only the last one is known.
insert into clock_moves (vendor_id, moved_at, clock_offset)
select id, '-infinity', clock_offset from vendors where clock_offset <> '0';

-- When the next attempt is due by the vendor's clock. The real instant comes nearer with each move
-- of that clock; null while the clock has not moved since the attempt.
alter table webhook_attempts add column due_by_clock timestamptz;
