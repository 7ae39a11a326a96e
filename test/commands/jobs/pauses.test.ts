import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPauses } from '../../../commands/jobs/pauses.ts';

/** The pauses of bulk work, by a clock that only the test moves. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['gives work its percentage of the time', 25, 1000, 4, 12],
  ['pauses longer after longer work', 25, 1000, 40, 120],
  ['pauses no longer than the limit', 10, 50, 500, 50],
])('%s: %i %%, at most %i ms, %i ms of work, %i ms of pause', async (...row) => {
  const [, percent, maxMs, workMs, restMs] = row;
  const pause = createPauses(percent, maxMs);
  for (let times = 0; times < 2; times += 1) {
    vi.advanceTimersByTime(workMs);
    const onEnd = vi.fn();
    const end = pause().finally(onEnd);
    await vi.advanceTimersByTimeAsync(restMs - 1);
    expect(onEnd).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await end;
  }
});

test.each([
  ['that may take all the time', 100, undefined],
  ['whose pause is aborted', 10, AbortSignal.abort()],
])('does not pause after work %s', async (_what, percent, signal) => {
  const pause = createPauses(percent, 50);
  vi.advanceTimersByTime(5);
  await pause(signal);
});
