import { afterEach, expect, test, vi } from 'vitest';
import { startPollLoop, type Backoff, type PollLoop } from '../../relay/poll-loop.ts';
import { deferred } from '../db/support.ts';

const started: PollLoop[] = [];
const start = (round: () => Promise<Backoff>): PollLoop => {
  const rounds = startPollLoop(round);
  started.push(rounds);
  return rounds;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map((rounds) => rounds.stop()));
});

const forLong = 3_600_000;

test('one round comes after another, and never two at once', async () => {
  let [rounds, atOnce, most] = [0, 0, 0];
  start(async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    rounds += 1;
    return { ms: 0 };
  });
  await vi.waitFor(() => expect(rounds).toBeGreaterThan(100));
  expect(most).toBe(1);
});

test('a notification ends a wait', async () => {
  let rounds = 0;
  const { wake } = start(async () => {
    rounds += 1;
    return { ms: forLong };
  });
  for (let round = 1; round <= 50; round += 1) {
    await vi.waitFor(() => expect(rounds).toBe(round), { interval: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    wake();
  }
  await vi.waitFor(() => expect(rounds).toBe(51));
});

test('a notification in a round is not lost: the next round follows without a wait', async () => {
  let rounds = 0;
  const first = deferred<Backoff>();
  const { wake } = start(() => {
    rounds += 1;
    return rounds === 1 ? first.promise : Promise.resolve({ ms: forLong });
  });
  await vi.waitFor(() => expect(rounds).toBe(1));
  wake();
  first.resolve({ ms: forLong });
  await vi.waitFor(() => expect(rounds).toBe(2));
});

test('a pause that ignores notifications ends with its time, or by stopping', async () => {
  const pauses: Backoff[] = [{ ms: 50, ignoresWake: true }];
  const startedAt: number[] = [];
  const { wake, stop } = start(async () => {
    startedAt.push(performance.now());
    return pauses.shift() ?? { ms: forLong, ignoresWake: true };
  });
  await vi.waitFor(() => {
    wake();
    expect(startedAt).toHaveLength(2);
  });
  // The timers of Node may be a millisecond early.
  expect((startedAt[1] ?? 0) - (startedAt[0] ?? 0)).toBeGreaterThanOrEqual(49);
  await stop();
  expect(startedAt).toHaveLength(2);
});

test('stopping ends a rest, and no further round comes', async () => {
  let rounds = 0;
  const { stop } = start(async () => {
    rounds += 1;
    return { ms: forLong };
  });
  await vi.waitFor(() => expect(rounds).toBe(1));
  await stop();
  expect(rounds).toBe(1);
});

test('stopping waits for the round that is under way', async () => {
  const round = deferred<Backoff>();
  const order: string[] = [];
  const { stop } = start(() => round.promise.finally(() => order.push('round')));
  const stopped = stop().then(() => order.push('stopped'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  round.resolve({ ms: 0 });
  await stopped;
  expect(order).toEqual(['round', 'stopped']);
});
