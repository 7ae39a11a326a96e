-- The words of a text, folded, in each form that finds them: wordsOf of domain/texts/fold-text.ts.
-- A word with the Arabic article is there without it too, and what follows `لل` may begin with a
-- lam.
create or replace function words_of(given text) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  words text := coalesce(fold_text(given), '');
begin
  -- What the search takes of a word.
  words := regexp_replace(words, '(\S{255})\S+', '\1', 'g');
  if words ~ '[ال]ل' then
    words := words
      || ' ' || regexp_replace(words, '(^| )(?:[وف]?[بك]?ال|[وف]?لل)(?=\S\S)', '\1', 'g')
      || ' ' || regexp_replace(words, '(^| )[وف]?لل(?=\S\S)', '\1ل', 'g');
  end if;
  return regexp_replace(words, '(\S+)', '''\1'':1', 'g')::tsvector;
end $$;
