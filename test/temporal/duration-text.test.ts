import { expect, test } from 'vitest';
import { durationText } from '../../temporal/duration-text.ts';

test.each([
  [72 * 3_600_000, '72 h'],
  [90 * 60_000, '90 min'],
  [90_000, '90 s'],
  [5000, '5 s'],
  [1500, '1.5 s'],
  [20, '0.02 s'],
])('writes %d ms as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
