import { expect, test } from 'vitest';
import { parseKey } from '../../../api/commands/idempotency-key.ts';

const visible = '!#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~"';

test.each<[string, string | null]>([
  ['k', 'k'],
  ['"k"', 'k'],
  ['k'.repeat(255), 'k'.repeat(255)],
  [`"${'k'.repeat(255)}"`, 'k'.repeat(255)],
  [visible, visible],
  [`"${visible.replaceAll(/["\\]/g, String.raw`\$&`)}"`, visible],
  ['', null],
  ['one two', null],
  ['k'.repeat(256), null],
  ['schlüssel', null],
  ['""', null],
  ['"one two"', null],
  ['"key', null],
  ['"one"two"', null],
  ['"key";a=1', null],
])('reads the header %s as the key %s', (header, key) => {
  expect(parseKey(header)).toBe(key);
});
