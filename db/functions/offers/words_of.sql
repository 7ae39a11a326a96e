-- The words of a text without accents, case and punctuation: the expression of the words of variants
-- in the migrations. Postgres inlines it.
create or replace function words_of(given text) returns tsvector
language sql immutable parallel safe as $$
  select to_tsvector('simple', regexp_replace(
    lower(regexp_replace(normalize(given, nfkd), '[\u0300-\u036f]', '', 'g')),
    '[!-/:-@\[-`{-~]+', ' ', 'g'
  ));
$$;
