-- Records the change time, and what lists filter by, as an offer had them before its latest change,
-- while a client turns pages of the vendor's changes. An offer that has yet to follow its agreement
-- had further positions: one for each switch, which moved Approved and PendingReview to
-- PendingRepricing.
create or replace function record_past_offers() returns trigger language plpgsql as $$
begin
  -- The statement waited for lock_offer_changes of a first page, so it sees that page's snapshot.
  if not exists (
    select from page_snapshots where list = 'offers' and vendor_id = old.vendor_id
  ) then return null;
  end if;
  insert into past_changes (
    list, vendor_id, id, status, vendor_sku, vendor_external_id, changed_at, superseded_at
  )
  select 'offers', old.vendor_id, old.id, status, old.vendor_sku, old.vendor_external_id, at,
    superseded_at
  from (
    select status, at, coalesce(lead(at) over (order by at), new.change_time) as superseded_at
    from (
      select old.status as status, old.change_time as at
      union all
      select
        case when old.status in ({statusesToReprice}) then 'PendingRepricing'
          else old.status end,
        switched_at
      from vendors, unnest(agreement_switch_times[old.agreement_epoch + 1:]) as switched_at
      where vendors.id = old.vendor_id and switched_at > old.change_time
    ) as positions
  ) as spans
  where at < superseded_at;
  return null;
end $$;
create or replace trigger record_past_offers after update on offers
  for each row when (old.change_time < new.change_time)
  execute function record_past_offers();
