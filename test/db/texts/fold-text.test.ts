import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { foldName, foldText, wordsOf } from '../../../domain/texts/fold-text.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';

/** The functions of SQL and of TypeScript fold alike. */

const inTypeScript = (text: string) => ({
  text,
  folded: foldText(text),
  name: foldName(text),
  words: [...new Set(wordsOf(text).flat())].toSorted(),
});

const inPostgres = async (sql: Sql, texts: readonly string[]) => {
  const rows = await sql<{ text: string; folded: string; name: string; words: string[] }[]>`
    select text, fold_text(text) as folded, fold_name(text) as name,
      tsvector_to_array(words_of(text)) as words
    from unnest(${[...texts]}::text[]) with ordinality as given (text, at) order by at`;
  return rows.map((row) => ({ ...row, words: row.words.toSorted() }));
};

// D177.
test('folds each character alike in SQL and in TypeScript', async ({ sql }) => {
  const texts: string[] = [];
  for (let point = 1; point < 0xe_1000; point += 1) {
    const character = String.fromCodePoint(point);
    if (!/[\p{Cs}\p{Cn}\p{Co}]/u.test(character)) texts.push(`a${character}b`);
  }
  const rows = await sql<{ text: string; folded: string }[]>`
    select text, fold_text(text) as folded from unnest(${texts}::text[]) as text
    where unicode_assigned(text)`;
  expect(rows.length).toBeGreaterThan(140_000);
  const wrong = rows.filter(({ text, folded }) => folded !== foldText(text));
  expect(wrong).toEqual([]);
});

const letters = ['ا', 'ل', 'و', 'ف', 'ب', 'ك', 'ع', 'ة', 'ى', 'أ', 'ء', 'ّ', 'ـ', '٥', ' '];
const others = ['é', 'É', 'e\u0301', 'ß', 'Æ', 'ø', 'ı', 'İ', 'Σ', '１', '५', '\u200f', '\u00a0'];
const signs = [
  "'",
  '’',
  '-',
  '\\',
  ':',
  '*',
  '&',
  '|',
  '!',
  '(',
  'ﷺ',
  'ﻻ',
  'ガ',
  '™',
  'x',
  'Y',
  '7',
];
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...letters), maxLength: 24 }),
  fc.string({ unit: fc.constantFrom(...letters, ...others, ...signs), maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('ا', 'ل', 'و', 'x'), minLength: 250, maxLength: 300 }),
);

test('finds the same words and names in SQL and in TypeScript', async ({ sql }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { minLength: 100, maxLength: 100 }), async (texts) => {
      const all = ['', 'العود وللعود لليل والد', 'L’Oréal', ...texts];
      expect(await inPostgres(sql, all)).toEqual(all.map(inTypeScript));
    }),
    { numRuns: 40 },
  );
});
