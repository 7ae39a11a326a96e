import { expect, test } from 'vitest';
import { withAsciiDigits } from '../../../domain/texts/digits.ts';
import { overridesDirection } from '../../../domain/texts/invisible.ts';
import { isTyped, nameForm, plainNumber, spellingsOf } from '../../../domain/texts/typed-text.ts';

test('converts each decimal digit of Unicode to the ASCII digit of its value', () => {
  let last = -2;
  let value = 0;
  for (let point = 0; point < 0x2_0000; point += 1) {
    const digit = String.fromCodePoint(point);
    if (!/\p{Nd}/u.test(digit)) continue;
    value = point === last + 1 ? (value + 1) % 10 : 0;
    last = point;
    expect([digit, withAsciiDigits(digit)]).toEqual([digit, String(value)]);
  }
});

test.each([
  ['a name with two blanks', 'Dar  Oud', 'Dar Oud'],
  ['a name with a no-break space', 'Dar\u00a0Oud', 'Dar Oud'],
  ['a name with a mark of direction', 'دار العود\u200f', 'دار العود'],
  ['a name with a zero-width character', 'Dar\u200bOud', 'DarOud'],
  ['a name with a soft hyphen', 'Da\u00adr', 'Dar'],
  ['a name in full width', 'Ｄａｒ', 'Dar'],
  ['a name with a control character', 'Dar\u0001 \u0085Oud', 'Dar Oud'],
  [
    'a name with the signs of a word processor',
    'L\u2019Or \u201cOud\u201d\u2011Dar',
    `L'Or "Oud"-Dar`,
  ],
  ['a decomposed name', 'Cafe\u0301', 'Caf\u00e9'],
  ['a number', '240', '٢٤٠'],
])('takes what a person types for %s', (_what, shown, typed) => {
  expect(isTyped(typed, shown)).toBe(true);
  expect(isTyped(shown, typed)).toBe(true);
});

test.each([
  ['in another letter case', 'dar', 'Dar'],
  ['without an accent', 'Cafe', 'Café'],
  ['without a blank', 'DarOud', 'Dar Oud'],
])('refuses a name %s', (_what, typed, shown) => {
  expect(isTyped(typed, shown)).toBe(false);
});

test.each(['İsmail', 'i\u0307smail', 'ISMAIL'])('finds the name ismail by %j', (name) => {
  expect(nameForm(name)).toBe('ismail');
});

test.each([
  'Sara',
  'SARA ',
  'ｓａｒａ',
  'sa\u200bra',
  'sara\u2800',
  '\u3164sara',
  '\u202asara\u202c',
])('finds the name sara by %j', (name) => {
  expect(nameForm(name)).toBe('sara');
});

test.each([
  ['٥٠', '50'],
  ['۱۰۰', '100'],
  ['５０', '50'],
  ['\u200e50\u200f', '50'],
  ['6\u00a0291\u202f041', '6291041'],
  ['١٬٢٣٤٫٥', '1234.5'],
  ['\u2212１２．５', '-12.5'],
  ['6 291', '6 291'],
  ['-1e3', '-1e3'],
])('reads the number %j as %s', (text, number) => {
  expect(plainNumber(text)).toBe(number);
});

test('tells characters that change the direction from other marks', () => {
  const controls = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2069'];
  for (const control of controls) expect(overridesDirection(`a${control}b`)).toBe(true);
  for (const other of ['دار', 'a\u200f', '\u200e', '\u061c'])
    expect(overridesDirection(other)).toBe(false);
});

test('finds a code with its own hyphen, which was pasted with a mark of direction', () => {
  const pasted = '\u200eAB\u201312';
  expect(spellingsOf(pasted)).toEqual([pasted, 'AB\u201312', 'AB-12', 'AB-١٢', 'AB-۱۲']);
  expect(spellingsOf('AB-CD')).toEqual(['AB-CD']);
});
