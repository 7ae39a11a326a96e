import { expect, test } from 'vitest';
import {
  advanceMaxMs,
  advanceOffset,
  durationMs,
  durationText,
  offsetMaxMs,
} from '../../../domain/clock/advance.ts';

test.for([
  ['PT72H', 72 * 3_600_000],
  ['P30D', advanceMaxMs],
  ['P1DT2H3M4S', 93_784_000],
  ['P2W', 14 * 86_400_000],
  ['PT0S', 0],
  ['PT90M', 5_400_000],
  ...['', 'P', 'PT', 'P1DT', '-PT1H', 'PT-1H', 'P1M', 'P1Y'].map((text) => [text, null] as const),
  ...['PT1.5H', 'P1W1D', '72h', 'pt1h', ' PT1H'].map((text) => [text, null] as const),
] as const)('reads the duration "%s" as %s milliseconds', ([text, ms]) => {
  expect(durationMs(text)).toBe(ms);
});

test('reads a duration back from its text', () => {
  for (const ms of [1000, 60_000, 93_784_000, advanceMaxMs, offsetMaxMs, 0])
    expect(durationMs(durationText(ms))).toBe(ms);
});

test('adds an advance to the offset, up to a year, one at a time', () => {
  expect(advanceOffset({ offsetMs: 5, isAdvancing: false }, 7)).toEqual({ ok: true, value: 12 });
  expect(advanceOffset({ offsetMs: 0, isAdvancing: true }, 7)).toMatchObject({
    failure: { code: 'BUSINESS_SANDBOX_CLOCK_ADVANCING' },
  });
  const near = { offsetMs: offsetMaxMs - 60_000, isAdvancing: false };
  expect(advanceOffset(near, 60_000)).toEqual({ ok: true, value: offsetMaxMs });
  expect(advanceOffset(near, 61_000)).toMatchObject({
    failure: { code: 'BUSINESS_SANDBOX_CLOCK_LIMIT', details: { left: 'PT1M' } },
  });
});
