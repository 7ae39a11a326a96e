-- A name, folded and without Arabic articles: foldName of domain/texts/fold-text.ts.
create or replace function fold_name(given text) returns text
language plpgsql immutable strict parallel safe as $$
begin
  return regexp_replace(
    fold_text(given), '(^| )(?:[وف]?[بك]?ال|[وف]?لل)(?=\S\S)', '\1', 'g'
  );
end $$;
