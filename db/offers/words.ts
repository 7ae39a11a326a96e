import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

/** A subquery: the words of a text as an array. */
export const wordListOf = (sql: Queryable, text: string): Fragment => sql`
  select tsvector_to_array(words_of(${text}::text))`;

/** A subquery: the search for any word of a text, whole. Null for a text without one. */
export const anyWordOf = (sql: Queryable, text: string): Fragment => sql`
  select string_agg('''' || word || '''', ' | ')::tsquery
  from unnest((${wordListOf(sql, text)})) as word`;

/**
 * A subquery: the search for all words of a text. It has the words as the stored ones are, so that
 * equal words are equal. Null for a text without a letter or digit, which finds nothing. With a
 * `weight`, the words must have it.
 */
export const wordsOf = (sql: Queryable, text: string, weight: 'A' | 'B' | '' = ''): Fragment => sql`
  select string_agg('''' || word || ${sql.unsafe(`''':*${weight}'`)}, ' & ')::tsquery
  from unnest((${wordListOf(sql, text)})) as word`;
