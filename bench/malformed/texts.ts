import type { Random } from './random.ts';

/** Texts and bytes that are no JSON, or no object. The text that they are made of is an object. */

const behindBrace = (text: string, more: string): string => `{${more}${text.slice(1)}`;
const beforeEnd = (text: string, more: string): string => `${text.slice(0, -1)}${more}}`;

export const brokenSyntax: readonly ((text: string) => string)[] = [
  (text) => `${text}}`,
  (text) => `${text}{}`,
  (text) => `${text},`,
  (text) => `\ufeff${text}`,
  (text) => `${text}\u0000`,
  (text) => `//\n${text}`,
  (text) => `/**/${text}`,
  (text) => `callback(${text})`,
  (text) => `)]}'\n${text}`,
  (text) => behindBrace(text, ','),
  (text) => beforeEnd(text, ','),
  (text) => beforeEnd(text, `${text === '{}' ? '' : ','}"a":`),
  ...[
    'NaN',
    'Infinity',
    '-',
    '01',
    '0x10',
    '1.',
    '.5',
    '+1',
    '1e',
    'undefined',
    "'x'",
    '"\t"',
    '"\\x41"',
    '"\\u12"',
    '`x`',
  ].map((value) => (text: string) => beforeEnd(text, `${text === '{}' ? '' : ','}"a":${value}`)),
  (text) => beforeEnd(text, `${text === '{}' ? '' : ','}a:1`),
  (text) => beforeEnd(text, `${text === '{}' ? '' : ','}"a" 1`),
];

export const noObject = [
  'null',
  '5',
  '-0',
  '1e400',
  'true',
  '"text"',
  '[]',
  '[{}]',
  '[[[]]]',
  '"\\ud800"',
];

export const deepText = (random: Random): string => {
  const depth = random.pick([1000, 10_000, 100_000, 500_000]);
  // Closed or not, it is a list.
  return '['.repeat(depth) + (random.chance(0.5) ? ']'.repeat(depth) : '');
};

const utf32 = (text: string): Buffer =>
  Buffer.concat(
    Array.from(text, (character) => Buffer.from([0, 0, 0, (character.codePointAt(0) ?? 0) & 0xff])),
  );

export const encodings: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(text, 'utf16le').swap16(),
  utf32,
  // EBCDIC's braces, and nothing that UTF-8 or JSON would have between.
  () => Buffer.from([0xc0, 0xd0]),
  (text) => Buffer.from(behindBrace(text, '"é":1,'), 'latin1'),
];

export const wrongBytes: readonly (readonly number[])[] = [
  [0xff],
  [0xfe],
  [0x80],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x90, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0x00],
  [0x01],
  [0x0b],
  [0x1b],
  [0x1f],
];
