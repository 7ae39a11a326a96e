import { expect, test } from 'vitest';
import { jitteredDelayMs } from '../../../domain/webhooks/jitter.ts';

test.each([
  [5000, 0, 4000],
  [5000, 0.5, 5000],
  [5000, 1, 6000],
  [1, 0.9, 1],
  [undefined, 0.5, null],
])('varies a wait of %s ms by %d to %s ms', (delayMs, random, expected) => {
  expect(jitteredDelayMs(delayMs, random)).toBe(expected);
});
