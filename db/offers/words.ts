import type { Fragment } from 'postgres';
import { foldName, searchedForms, wordsOf, type Word } from '../../domain/texts/fold-text.ts';
import type { Queryable } from '../core/client.ts';

/** A subquery: a search; of none for the empty text. The planner knows nothing of it. */
const searchFor = (sql: Queryable, search: string): Fragment =>
  sql`(select nullif(${search}::text, '')::tsquery)`;

/** The beginning of a name such as L'Oréal, which people write as one word. */
const elided = /^[dl](?=[aeiouhy]..)/;

/**
 * The search for one word, also as two that an apostrophe separates. A folded word has letters and
 * digits only, so quotes need no escape.
 */
export const searchForWord = (word: Word, suffix: string): string =>
  searchedForms(word)
    .flatMap((form) => {
      const whole = `'${form}'${suffix}`;
      const [first] = elided.exec(form) ?? [];
      return first === undefined ? [whole] : [whole, `'${first}' & '${form.slice(1)}'${suffix}`];
    })
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

/** The search for waiting offers of a brand, by what `index_waiting_offer` adds to their words. */
export const searchForBrand = (brand: string): string =>
  `':brand:${Array.from(foldName(brand)).slice(0, 255).join('')}'`;

/** The same for digits that are compared as GTIN-14. */
export const searchForBarcode = (barcode: string): string =>
  `':barcode:${barcode.padStart(14, '0')}'`;
