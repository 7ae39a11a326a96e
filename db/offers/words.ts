import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

/** The words of a text without accents, case and punctuation: an expression of indexes. */
const wordsText = (text: string): string => `
  to_tsvector('simple', regexp_replace(
    lower(regexp_replace(normalize(${text}, nfkd), '[\\u0300-\\u036f]', '', 'g')),
    '[!-/:-@\\[-\`{-~]+', ' ', 'g'
  ))`;

/** A subquery: the words of a text as an array. */
export const wordListOf = (sql: Queryable, text: string): Fragment => sql`
  select tsvector_to_array(${sql.unsafe(wordsText('searched.text'))})
  from (select ${text}::text as text) as searched`;

/**
 * A subquery: the search for all words of a text. It goes through the expression of the indexes, so
 * that equal words are equal. Null for a text without a letter or digit, which finds nothing. With a
 * `weight`, the words must have it.
 */
export const wordsOf = (sql: Queryable, text: string, weight: 'A' | 'B' | '' = ''): Fragment => sql`
  select string_agg('''' || word || ${sql.unsafe(`''':*${weight}'`)}, ' & ')::tsquery
  from unnest((${wordListOf(sql, text)})) as word`;
