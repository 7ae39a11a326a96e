import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRests } from '../../../commands/jobs/rests.ts';

/** The rests of bulk work, by a clock that only the test moves. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const work = (ms: number): unknown => vi.advanceTimersByTime(ms);

/** Whether a rest lasts at least until, and ends at, a time. */
async function lasts(resting: Promise<void>, ms: number): Promise<void> {
  let hasEnded = false;
  const end = resting.finally(() => {
    hasEnded = true;
  });
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(hasEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await end;
}

test('work takes its part of the time: longer work is followed by a longer rest', async () => {
  const rest = createRests(25, 1000);
  work(4);
  await lasts(rest(), 12);
  work(40);
  await lasts(rest(), 120);
});

test('no rest is longer than its limit, so that work goes on when the machine is busy', async () => {
  const rest = createRests(10, 50);
  work(500);

  await lasts(rest(), 50);
});

test('work that may take all the time never rests', async () => {
  const rest = createRests(100, 50);
  work(500);

  await rest();
});

test('an aborted rest ends, and does not fail', async () => {
  const rest = createRests(10, 50);
  work(5);

  await rest(AbortSignal.abort());
});
