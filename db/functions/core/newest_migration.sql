-- The name of the newest migration that is applied. With the owner's rights, because the processes
-- may not read the table.
create or replace function newest_migration() returns text
language plpgsql stable security definer set search_path from current as $$
begin
  return (select max(name) from schema_migrations);
end $$;
