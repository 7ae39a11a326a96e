import { expect, test } from 'vitest';
import { createRunBudget } from '../../relay/run-budget.ts';

/** Which of the runs that are wanted at these times, in milliseconds, may start. */
function allowed(perSecond: number, wantedAtMs: readonly number[]): readonly number[] {
  let nowMs = 1_000_000;
  const mayRun = createRunBudget(perSecond, () => nowMs);
  return wantedAtMs.filter((at) => {
    nowMs = 1_000_000 + at;
    return mayRun();
  });
}
const evenly = (perSecond: number, seconds: number): readonly number[] =>
  Array.from({ length: perSecond * seconds }, (_, index) => (index * 1000) / perSecond);
const burst = (count: number, atMs = 0): readonly number[] => Array(count).fill(atMs);

test.each([1, 4, 5, 100])(
  'allows %i runs a second, and only the first ones of a lasting flood',
  (perSecond) => {
    expect(allowed(perSecond, burst(10 * perSecond))).toHaveLength(perSecond);
    for (const wanted of [Math.ceil(perSecond / 2), perSecond])
      expect(allowed(perSecond, evenly(wanted, 60))).toHaveLength(wanted * 60);
    for (const more of [4, 200]) {
      const flood = allowed(perSecond, [...evenly(more * perSecond, 60), 63_000]);
      expect(flood.length).toBeGreaterThan(perSecond);
      expect(flood.length).toBeLessThanOrEqual(2 * perSecond + 1);
      // After the flood, a run starts again.
      expect(flood.filter((at) => at >= 2000)).toEqual([63_000]);
    }
  },
);

test('allows no more runs after a quiet hour', () => {
  const wanted = [0, ...burst(100, 3_600_000)];
  expect(allowed(5, wanted).filter((at) => at > 0)).toHaveLength(5);
});

test('allows no run at 0 a second', () => {
  expect(allowed(0, evenly(10, 3600))).toEqual([]);
});
