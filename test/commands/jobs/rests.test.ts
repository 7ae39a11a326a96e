import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRests } from '../../../commands/jobs/rests.ts';

/** The rests of bulk work, by a clock that only the test moves. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['gives work its percentage of the time', 25, 1000, 4, 12],
  ['rests longer after longer work', 25, 1000, 40, 120],
  ['rests no longer than the limit', 10, 50, 500, 50],
])('%s: %i %%, at most %i ms, %i ms of work, %i ms of rest', async (...row) => {
  const [, percent, maxMs, workMs, restMs] = row;
  const rest = createRests(percent, maxMs);
  for (let times = 0; times < 2; times += 1) {
    vi.advanceTimersByTime(workMs);
    const onEnd = vi.fn();
    const end = rest().finally(onEnd);
    await vi.advanceTimersByTimeAsync(restMs - 1);
    expect(onEnd).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await end;
  }
});

test.each([
  ['that may take all the time', 100, undefined],
  ['whose rest is aborted', 10, AbortSignal.abort()],
])('does not rest after work %s', async (_what, percent, signal) => {
  const rest = createRests(percent, 50);
  vi.advanceTimersByTime(5);
  await rest(signal);
});
