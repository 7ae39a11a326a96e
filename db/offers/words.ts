import type { Fragment } from 'postgres';
import { searchedForms, wordsOf, type Word } from '../../domain/texts/fold-text.ts';
import type { Queryable } from '../core/client.ts';

/** A subquery: a search; of none for the empty text. The planner knows nothing of it. */
const searchFor = (sql: Queryable, search: string): Fragment =>
  sql`(select nullif(${search}::text, '')::tsquery)`;

/** A folded word has letters and digits only, so quotes need no escape. */
const searchForWord = (word: Word, suffix: string): string =>
  searchedForms(word)
    .map((form) => `'${form}'${suffix}`)
    .join(' | ');

/** The search for any word of a text, whole. Null for a text without one. */
export const anyWordOf = (sql: Queryable, text: string): Fragment =>
  searchFor(
    sql,
    wordsOf(text)
      .map((word) => searchForWord(word, ''))
      .join(' | '),
  );

/**
 * The search for all words of a text, by their beginnings. Null for a text without a letter or
 * digit, which finds nothing. With a `weight`, the words must have it.
 */
export const allWordsOf = (sql: Queryable, text: string, weight: 'A' | 'B' | '' = ''): Fragment =>
  searchFor(
    sql,
    wordsOf(text)
      .map((word) => `(${searchForWord(word, `:*${weight}`)})`)
      .join(' & '),
  );
