-- A trigger keeps the words and the brand of variants, because their expressions are functions.
alter table variants alter column words drop expression;
alter table variants add column folded_brand text;
