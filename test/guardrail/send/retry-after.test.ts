import { expect, test } from 'vitest';
import { readRetryAfter, retryAfterMs } from '../../../guardrail/send/retry-after.ts';

const now = Date.UTC(2026, 0, 31, 12, 0, 0);
const hourMs = 3_600_000;

test.each([
  ['0', 0],
  ['1', 1000],
  [' 120 ', 120_000],
  ['3600', hourMs],
  ['3601', hourMs],
  ['9'.repeat(400), hourMs],
  ['Sat, 31 Jan 2026 12:00:30 GMT', 30_000],
  ['Sat, 31 Jan 2026 11:00:00 GMT', 0],
  ['Fri, 31 Dec 2100 23:59:59 GMT', hourMs],
  // Obsolete forms.
  ['Saturday, 31-Jan-26 12:00:30 GMT', 30_000],
  ['Sat Jan 31 12:00:30 2026', 30_000],
  ['Sun Feb  1 12:00:30 2026', hourMs],
  [['5', '6'], 5000],
])('reads %j as a wait of %d ms', (value, waitMs) =>
  expect(retryAfterMs(readRetryAfter(value), now)).toBe(waitMs),
);

test.each([
  undefined,
  '',
  '-1',
  '1.5',
  'soon',
  '2026-01-31T12:00:30Z',
  'Sat, 31 Jan 2026 12:00:30 +0000',
  'Sat, 99 Jan 2026 12:00:30 GMT',
  'Saturday, 31-Jan-2026 12:00:30 GMT',
  'Sat Jan 31 12:00:30 2026 GMT',
  '１２',
])('ignores %j', (value) => expect(readRetryAfter(value)).toBeNull());
