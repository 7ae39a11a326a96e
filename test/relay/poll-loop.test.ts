import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test as base, vi } from 'vitest';
import { startPollLoop, type Backoff, type PollLoop } from '../../relay/poll-loop.ts';
import { deferred } from '../db/support.ts';

const test = base.extend('start', ({}, { onCleanup }) => {
  const loops: PollLoop[] = [];
  onCleanup(async () => void (await Promise.all(loops.map((loop) => loop.stop()))));
  return (round: () => Promise<Backoff>): PollLoop => {
    const loop = startPollLoop(round);
    loops.push(loop);
    return loop;
  };
});

const forLong = 3_600_000;

test('runs one round after another, never two at once', async ({ start }) => {
  let [rounds, atOnce, most] = [0, 0, 0];
  start(async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await nextTurn();
    atOnce -= 1;
    rounds += 1;
    return { ms: 0 };
  });
  await vi.waitFor(() => expect(rounds).toBeGreaterThan(100), 20_000);
  expect(most).toBe(1);
});

test('ends a wait by a notification', async ({ start }) => {
  let rounds = 0;
  const { wake } = start(async () => {
    rounds += 1;
    return { ms: forLong };
  });
  for (let round = 1; round <= 50; round += 1) {
    await vi.waitFor(() => expect(rounds).toBe(round), { interval: 1 });
    await nextTurn();
    wake();
  }
  await vi.waitFor(() => expect(rounds).toBe(51), 20_000);
});

test('runs a round at once after a notification in the last one', async ({ start }) => {
  let rounds = 0;
  const first = deferred<Backoff>();
  const { wake } = start(() => {
    rounds += 1;
    return rounds === 1 ? first.promise : Promise.resolve({ ms: forLong });
  });
  await vi.waitFor(() => expect(rounds).toBe(1), 20_000);
  wake();
  first.resolve({ ms: forLong });
  await vi.waitFor(() => expect(rounds).toBe(2), 20_000);
});

test('keeps a notification through rounds without a pause between them', async ({ start }) => {
  const backoffs = [0, 0, forLong, forLong];
  let rounds = 0;
  const loop = start(() => {
    rounds += 1;
    if (rounds === 2) loop.wake();
    return Promise.resolve({ ms: backoffs[rounds - 1] ?? forLong });
  });
  // The third round ends the walk that missed the notification, and the fourth one sees it.
  await vi.waitFor(() => expect(rounds).toBe(4));
});

test('ends a pause that ignores notifications at its time, or when it stops', async ({ start }) => {
  const pauses: Backoff[] = [{ ms: 50, ignoresWake: true }];
  const startedAt: number[] = [];
  const { wake, stop } = start(async () => {
    startedAt.push(performance.now());
    return pauses.shift() ?? { ms: forLong, ignoresWake: true };
  });
  await vi.waitFor(() => {
    wake();
    expect(startedAt).toHaveLength(2);
  }, 20_000);
  // The timers of Node may be a millisecond early.
  expect((startedAt[1] ?? 0) - (startedAt[0] ?? 0)).toBeGreaterThanOrEqual(49);
  await stop();
  expect(startedAt).toHaveLength(2);
});

test('stops after the round that is under way', async ({ start }) => {
  const round = deferred<Backoff>();
  const order: string[] = [];
  const { stop } = start(() => round.promise.finally(() => order.push('round')));
  const stopped = stop().then(() => order.push('stopped'));
  await nextTurn();
  expect(order).toEqual([]);
  round.resolve({ ms: 0 });
  await stopped;
  expect(order).toEqual(['round', 'stopped']);
});
