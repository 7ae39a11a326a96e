-- Whose activity_counts an event belongs to: its vendor's, if it has one, and the service's.
create or replace function activity_owners(of_vendor uuid) returns setof uuid
language sql immutable as $$
  select owner from unnest(array[of_vendor, '00000000-0000-0000-0000-000000000000']) as owner
  where owner is not null
$$;
