import { expect, test } from 'vitest';
import { createRunBudget } from '../../relay/run-budget.ts';

/** How many of the runs that are wanted at these times, in milliseconds, may start, and when. */
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
const within = (times: readonly number[], fromMs: number): number =>
  times.filter((at) => at >= fromMs && at < fromMs + 1000).length;

test.each([1, 4, 5, 100])('%i a second: a burst gets as many runs and no more', (perSecond) => {
  const burst = Array.from({ length: 10 * perSecond }, () => 0);
  expect(allowed(perSecond, burst)).toHaveLength(perSecond);
});

test.each([
  [5, 1],
  [5, 5],
  [1, 1],
  [100, 50],
])('%i a second: fewer wanted, as %i a second, all start', (perSecond, wanted) => {
  expect(allowed(perSecond, evenly(wanted, 60))).toHaveLength(wanted * 60);
});

test.each([
  [5, 20],
  [5, 1000],
  [20, 333],
])('%i a second: of more, as %i a second, the first start and no others', (perSecond, wanted) => {
  const times = allowed(perSecond, evenly(wanted, 60));
  expect(times.length).toBeGreaterThanOrEqual(perSecond);
  expect(times.length).toBeLessThanOrEqual(2 * perSecond);
  for (let second = 2; second < 60; second += 1) expect(within(times, second * 1000)).toBe(0);
});

test.each([1, 5, 100])(
  '%i a second: three seconds after a flood a run starts again',
  (perSecond) => {
    const flood = evenly(100 * perSecond, 5);
    expect(allowed(perSecond, [...flood, 8000]).at(-1)).toBe(8000);
  },
);

test('runs that were not wanted in a quiet hour do not add up', () => {
  const burst = Array.from({ length: 100 }, () => 3_600_000);
  expect(allowed(5, [0, ...burst]).filter((at) => at > 0)).toHaveLength(5);
});

test('0 a second starts none, at any time', () => {
  expect(allowed(0, evenly(10, 3600))).toEqual([]);
});
