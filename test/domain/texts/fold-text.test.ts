import { expect, test } from 'vitest';
import { foldText, isSameWord, wordsOf } from '../../../domain/texts/fold-text.ts';

const isFound = (one: string, other: string): boolean => {
  const [mine, others] = [wordsOf(one), wordsOf(other)];
  return mine.every((word) => others.some((each) => isSameWord(word, each)));
};

test.each([
  ['accents', 'Café Crème', 'cafe creme'],
  ['letters with a stroke', 'Brøndby Łódź Đà Ħamrun', 'brondby lodz da hamrun'],
  ['ligatures', 'Straße Æther Œuvre ﬁn', 'strasse aether oeuvre fin'],
  ['letters without a dot, and a dotted capital', 'ılık İstanbul', 'ilik istanbul'],
  ['full-width letters and digits', 'ＯＵＤ　５０', 'oud 50'],
  ['Arabic, Persian and Devanagari digits', '٥٠ ۵۰ ५०', '50 50 50'],
  ['points of Arabic', 'عُودٌ مَلَكِيّ', 'عود ملكي'],
  ['tatweel', 'عـــود', 'عود'],
  ['forms of alef', 'أحمد إحمد آحمد ٱحمد', 'احمد احمد احمد احمد'],
  ['forms of hamza', 'مؤمن شئ ماء', 'مومن شي ما'],
  ['forms of ya and kaf', 'على علی کادي', 'علي علي كادي'],
  ['ta marbuta', 'وردة', 'ورده'],
  ['presentation forms', 'ﻋﻮﺩ ﻻ', 'عود لا'],
  ['invisible characters', 'o\u200bu\u00add\u200f \u202eمسك\u202c', 'oud مسك'],
  ['blanks of any width', 'a\u00a0\u2003b', 'a b'],
  ['punctuation and signs', 'L’Oréal™ LʼOréal (N°5)', 'l oreal l oreal n 5'],
  ['the sigma at the end of a word', 'ΟΔΟΣ οδος', 'οδοσ οδοσ'],
  ['parts of Japanese letters', 'ガ', 'カ'],
])('folds %s', (_what, text, folded) => {
  expect(foldText(text)).toBe(folded);
  expect(foldText(folded)).toBe(folded);
});

const withArticle = ['عود', 'العود', 'للعود', 'والعود', 'بالعود', 'كالعود', 'فالعود', 'وللعود'];
test.each(withArticle)('finds %s by each form with and without the article', (one) => {
  for (const other of withArticle) expect(isFound(one, other)).toBe(true);
});

test('finds a word that begins with lam after the preposition', () => {
  expect(isFound('لليل', 'الليل')).toBe(true);
  expect(isFound('لليل', 'ليل')).toBe(true);
});

test('keeps a word that has one letter after the article', () => {
  expect(wordsOf('والد ال')).toEqual([['والد'], ['ال']]);
});

test('counts the first 255 characters of a word', () => {
  expect(wordsOf('x'.repeat(300))).toEqual([['x'.repeat(255)]]);
});
