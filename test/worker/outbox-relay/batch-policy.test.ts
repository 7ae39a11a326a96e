import { expect, test } from 'vitest';
import { createBatchPolicy, batchSizeMax } from '../../../worker/outbox-relay/batch-policy.ts';

type Simulated = {
  /** Runs that were started, for one delivery or for many. */
  readonly runs: number;
  readonly longestWaitMs: number;
  readonly delivered: number;
  readonly largest: number;
};

/** The lane's loop over a simulated clock: it reads on a notification or when the policy says so. */
function simulate(arrivals: readonly number[]): Simulated {
  const policy = createBatchPolicy();
  const waiting: number[] = [];
  let [nowMs, next, runs, longestWaitMs, delivered, largest] = [0, 0, 0, 0, 0, 0];
  while (next < arrivals.length || waiting.length > 0) {
    // A notification ends the wait.
    if (waiting.length === 0) nowMs = Math.max(nowMs, arrivals[next] ?? nowMs);
    for (let at = arrivals[next]; at !== undefined && at <= nowMs; at = arrivals[next]) {
      waiting.push(at);
      next += 1;
    }
    const counted = Math.min(waiting.length, batchSizeMax);
    const what = policy.next(counted, nowMs);
    if (what === 'wait') {
      nowMs += policy.waitMs(nowMs);
      continue;
    }
    const taken = waiting.splice(0, counted);
    policy.record(what, taken.length, nowMs);
    for (const at of taken) longestWaitMs = Math.max(longestWaitMs, nowMs - at);
    runs += what === 'single' ? taken.length : 1;
    largest = Math.max(largest, taken.length);
    delivered += taken.length;
  }
  return { runs, longestWaitMs, delivered, largest };
}

/** The longest that policy may keep a delivery waiting. */
const waitMsMax = 250;
const seconds = 60;
const evenly = (perSecond: number): readonly number[] =>
  Array.from({ length: perSecond * seconds }, (_, index) => (index * 1000) / perSecond);
/** As strangers come: independent of each other, by a generator that is the same each time. */
function atRandom(perSecond: number): readonly number[] {
  let state = 42;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state + 1) / 2_147_483_649;
  };
  let at = 0;
  return Array.from({ length: perSecond * seconds }, () => {
    at += (-Math.log(random()) * 1000) / perSecond;
    return at;
  });
}
/** All of a second's at its start. */
const inBursts = (perSecond: number): readonly number[] =>
  Array.from({ length: perSecond * seconds }, (_, index) => Math.floor(index / perSecond) * 1000);

const rates = [1, 5, 20, 25, 26, 40, 60, 99, 100, 101, 150, 400, 1000, 1500, 2500, 5000];
const manners = { evenly, atRandom, inBursts };
const cases = rates.flatMap((rate) =>
  Object.entries(manners).map(([manner, arrive]) => ({ rate, manner, arrive })),
);

test('a lone delivery goes at once, in a run of its own', () => {
  const policy = createBatchPolicy();
  for (let nowMs = 0; nowMs < 100_000; nowMs += 1000) {
    expect(policy.next(1, nowMs)).toBe('single');
    policy.record('single', 1, nowMs);
  }
});

test('a lone delivery goes at once also while the next batch would still gather', () => {
  const policy = createBatchPolicy();
  expect(policy.next(100, 0)).toBe('batch');
  policy.record('batch', 100, 0);
  expect(policy.next(1, 1)).toBe('single');
});

test('a burst shares one run, and a burst as large as a batch may be does not gather', () => {
  const policy = createBatchPolicy();
  expect(policy.next(10, 0)).toBe('batch');
  policy.record('batch', 10, 0);
  expect(policy.next(10, 1)).toBe('wait');
  expect(policy.next(batchSizeMax, 2)).toBe('batch');
});

test.each(cases)('$rate a second, $manner: all go', ({ rate, arrive }) => {
  expect(simulate(arrive(rate)).delivered).toBe(rate * seconds);
});

// At more than a full batch in 250 ms.
const isFlood = ({ rate }: { readonly rate: number }): boolean => rate > 2000;

test.each(cases.filter((each) => !isFlood(each)))(
  '$rate a second, $manner: none waits longer than 250 ms',
  ({ rate, arrive }) => {
    expect(simulate(arrive(rate)).longestWaitMs).toBeLessThan(waitMsMax + 1);
  },
);

test.each(cases.filter(isFlood))(
  '$rate a second, $manner: none waits longer than 250 ms, also after a full batch',
  ({ rate, arrive }) => {
    expect(simulate(arrive(rate)).longestWaitMs).toBeLessThan(waitMsMax + 1);
  },
);

// Runs of their own, 25 a second and three besides; a batch for each of two deliveries at the least, which gathers 20 ms.
const runsPerSecondMax = 25 + 50;

test.each(cases)('$rate a second, $manner: the runs a second are bounded', ({ rate, arrive }) => {
  const { runs, largest } = simulate(arrive(rate));
  expect(runs).toBeLessThanOrEqual(Math.min(rate, runsPerSecondMax) * (seconds + 1) + 3);
  expect(largest).toBeLessThanOrEqual(batchSizeMax);
});

test.each([1, 5, 20, 25])(
  '%i a second, evenly: each has a run of its own, and none waits',
  (rate) => {
    expect(simulate(evenly(rate))).toMatchObject({
      runs: rate * seconds,
      longestWaitMs: 0,
      largest: 1,
    });
  },
);

test.each([1000, 5000])('%i a second share runs, a few of them a second', (rate) => {
  expect(simulate(evenly(rate)).runs / seconds).toBeLessThanOrEqual(40);
});

test('the wait after `wait` is short, and never nothing', () => {
  const policy = createBatchPolicy();
  for (let nowMs = 0; nowMs < 20_000; nowMs += 7) {
    const waiting = 1 + (nowMs % 9);
    const what = policy.next(waiting, nowMs);
    if (what !== 'wait') {
      policy.record(what, waiting, nowMs);
      continue;
    }
    const waitMs = policy.waitMs(nowMs);
    expect(waitMs).toBeGreaterThanOrEqual(1);
    expect(waitMs).toBeLessThan(waitMsMax + 1);
    // It is no dead end: after the wait, what waits may go.
    expect(policy.next(waiting, nowMs + waitMs)).not.toBe('wait');
  }
});
