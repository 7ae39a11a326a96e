-- As next_change_times, for one vendor or (an array of null) for none.
create or replace function next_change_time(of_vendors uuid[]) returns timestamptz
-- An SQL function could only be created after the function that it calls.
language plpgsql volatile as $$
begin
  return (select max(at) from next_change_times(of_vendors));
end $$;
