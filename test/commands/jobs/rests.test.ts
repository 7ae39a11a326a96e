import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRests } from '../../../commands/jobs/rests.ts';

/** The rests of bulk work, by a clock that only the test moves. */

const delays = vi.hoisted(() => [] as number[]);
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number, _value: unknown, { signal }: { signal?: AbortSignal } = {}) => {
    delays.push(ms);
    return signal?.aborted === true ? Promise.reject(new Error('aborted')) : Promise.resolve();
  },
}));

let now = 0;
const work = (ms: number): void => {
  now += ms;
};

beforeEach(() => {
  delays.length = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('work takes its part of the time: longer work is followed by a longer rest', async () => {
  const rest = createRests(25, 1000);
  work(4);
  await rest();
  work(40);
  await rest();

  expect(delays).toEqual([12, 120]);
});

test('no rest is longer than its limit, so that work goes on when the machine is busy', async () => {
  const rest = createRests(10, 50);
  work(500);
  await rest();

  expect(delays).toEqual([50]);
});

test('work that may take all the time never rests', async () => {
  const rest = createRests(100, 50);
  work(500);
  await rest();

  expect(delays).toEqual([]);
});

test('an aborted rest ends, and does not fail', async () => {
  const rest = createRests(10, 50);
  work(5);

  await expect(rest(AbortSignal.abort())).resolves.toBeUndefined();
});
