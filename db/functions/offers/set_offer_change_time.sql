-- Gives a changed offer its change time. A before trigger runs while the row is locked, so
-- the time is the last thing that the update waits for. An offer that only follows its agreement
-- (one version for each switch) keeps the time of the last switch, which reads have used since. A
-- statement for many locked offers sets their times itself, from one call of offer_change_time.
create or replace function set_offer_change_time() returns trigger language plpgsql as $$
begin
  new.change_time := case
    when new.version - old.version = new.agreement_epoch - old.agreement_epoch then greatest(
      old.change_time, (select agreement_changed_at from vendors where id = old.vendor_id)
    )
    else offer_change_time(old.vendor_id)
  end;
  return new;
end $$;
create or replace trigger set_offer_change_time before update on offers
  for each row when (old.version is distinct from new.version and old.change_time = new.change_time)
  execute function set_offer_change_time();
