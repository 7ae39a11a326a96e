-- All rows that attempt_counts has when delivery_counts is compacted.
create or replace function all_attempt_counts()
returns table (subscription_id uuid, delta bigint) language sql stable as $$
  select subscription_id, delta from attempt_counts
  union all
  select subscription_id, attempts from delivery_counts
  where not is_compacted and subscription_id is not null
$$;
