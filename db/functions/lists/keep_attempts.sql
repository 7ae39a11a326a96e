-- Moves to attempt_counts the attempts that the counts of deliveries have which a compaction
-- removes: one row for each subscription instead of one for each success. A trigger, so that a
-- compaction of an earlier version does it too.
create or replace function keep_attempts() returns trigger language plpgsql as $$
begin
  insert into attempt_counts (subscription_id, delta)
  select subscription_id, sum(attempts) from removed
  where subscription_id is not null
  group by subscription_id having sum(attempts) <> 0;
  return null;
end $$;
create or replace trigger keep_attempts after delete on delivery_counts
  referencing old table as removed for each statement execute function keep_attempts();
