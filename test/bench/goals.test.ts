import { expect, test } from 'vitest';
import { judge } from '../../bench/harness/delivery/goals.ts';
import type { Summary } from '../../bench/harness/delivery/results.ts';

const summary = (name: string, p50Ms: number, perSecond: number): Summary => ({
  name,
  rates: [{ perSecond: 100, p50Ms, p99Ms: 40, cpuMs: 3, cpuMsByProcess: {}, walBytes: 6000 }],
  burst: {
    acceptedPerSecond: perSecond,
    deliveredPerSecond: perSecond,
    p50Ms: 10,
    cpuMs: 2,
    cpuMsByProcess: {},
  },
  backlogPerSecond: 4000,
  memoryBeforeMb: 100,
  memoryAfterMb: 100,
});

const missed = (own: Summary, peer?: Summary) =>
  judge(own, peer)
    .filter(({ isMet }) => !isMet)
    .map(({ name, bound }) => `${name}: ${bound}`);

test('accepts a figure at its bound, and refuses one beyond it', () => {
  expect(missed(summary('gateway', 12, 1000))).toEqual([]);
  expect(missed(summary('gateway', 12.1, 1000))).toEqual(['100/s: p50 ms: at most 12']);
});

test('requires figures no worse than the peer’s beside it, in a burst a fifth better', () => {
  expect(missed(summary('gateway', 10, 1200), summary('Outpost', 10, 1000))).toEqual([]);
  expect(missed(summary('gateway', 11, 1199), summary('Outpost', 10, 1000))).toEqual([
    '100/s: p50 ms: at most 10 (Outpost)',
    'burst: accepted per s: at least 1200 (1.2 x Outpost)',
    'burst: delivered per s: at least 1200 (1.2 x Outpost)',
  ]);
});
