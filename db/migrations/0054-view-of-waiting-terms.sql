-- The earlier version's API finds offers by waiting_terms, and its functions write it until this
-- version's are applied. A later version drops the view.
drop table waiting_terms;
create view waiting_terms as
select term collate "C" as term, awaiting_since, offer_id
from waiting_offers cross join unnest(coalesce(terms, tsvector_to_array(words))) as term;
create rule write_no_term as on insert to waiting_terms do instead nothing;
create rule delete_no_term as on delete to waiting_terms do instead nothing;
do $$
declare
  role_name text;
begin
  for role_name in
    select rolname from pg_roles where rolname in ('vendor_gateway_api', 'vendor_gateway_worker')
  loop
    execute format('grant select, insert, delete on waiting_terms to %I', role_name);
  end loop;
end $$;
