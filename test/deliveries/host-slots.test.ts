import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createHostSlots, type Release } from '../../deliveries/host-slots.ts';

const never = new AbortController().signal;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('gives slots in the order of arrival, and skips a request that left', async () => {
  const slots = createHostSlots(1);
  const leaving = new AbortController();
  const order: string[] = [];
  const held = slots.tryTake('host');
  const signals = { a: never, b: leaving.signal, c: never };
  const waiting = Object.entries(signals).map(async ([name, signal]) => {
    const release = await slots.take('host', { signal });
    order.push(release === null ? `${name} left` : name);
    release?.();
  });
  await settle();
  leaving.abort();
  await settle();
  expect(order).toEqual(['b left']);
  held?.();
  expect(slots.tryTake('host')).toBeNull();
  await Promise.all(waiting);
  expect(order).toEqual(['b left', 'a', 'c']);
  expect(slots.tryTake('host')).not.toBeNull();
});

test('takes no slot after an abort', async () => {
  const slots = createHostSlots(1);
  expect(await slots.take('host', { signal: AbortSignal.abort() })).toBeNull();
});

test('keeps a slot that was given before an abort', async () => {
  const slots = createHostSlots(1);
  const late = new AbortController();
  const held = slots.tryTake('host');
  const waiting = slots.take('host', { signal: late.signal });
  await settle();
  held?.();
  late.abort();
  const release = await waiting;
  expect(slots.tryTake('host')).toBeNull();
  release?.();
  expect(slots.tryTake('host')).not.toBeNull();
});

test('lets at most waitingMax requests wait', async () => {
  const slots = createHostSlots(1);
  const leaving = new AbortController();
  const options = { signal: leaving.signal, waitingMax: 2 };
  slots.tryTake('host');
  const waiting = [slots.take('host', options), slots.take('host', options)];
  await settle();
  expect(await slots.take('host', options)).toBeNull();
  expect(await slots.take('host', { ...options, waitingMax: 0 })).toBeNull();
  leaving.abort();
  expect(await Promise.all(waiting)).toEqual([null, null]);
});

const anyStep = fc.record({
  what: fc.constantFrom('try', 'take', 'release', 'again', 'signal'),
  host: fc.constantFrom('a', 'b'),
  which: fc.nat(20),
});

test('never exceeds the slots of a host, and frees all of them in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(anyStep, { maxLength: 80 }),
      async (max, steps) => {
        const slots = createHostSlots(max);
        const held: { readonly host: string; readonly release: Release }[] = [];
        const released: Release[] = [];
        const waiting: AbortController[] = [];
        const keep = (host: string) => (release: Release | null) => {
          if (release !== null) held.push({ host, release });
        };
        const free = (which: number): void => {
          const [one] = held.splice(which % Math.max(1, held.length), 1);
          one?.release();
          if (one !== undefined) released.push(one.release);
        };
        for (const { what, host, which } of steps) {
          if (what === 'try') keep(host)(slots.tryTake(host));
          else if (what === 'release') free(which);
          else if (what === 'again') released[which % Math.max(1, released.length)]?.();
          else if (what === 'signal') waiting[which % Math.max(1, waiting.length)]?.abort();
          else {
            const leaving = new AbortController();
            waiting.push(leaving);
            void slots.take(host, { signal: leaving.signal }).then(keep(host));
          }
          await settle();
          for (const each of ['a', 'b'])
            expect(held.filter((one) => one.host === each).length).toBeLessThanOrEqual(max);
        }
        for (const leaving of waiting) leaving.abort();
        await settle();
        while (held.length > 0) free(0);
        for (const host of ['a', 'b']) {
          const all = Array.from({ length: max }, () => slots.tryTake(host));
          expect(all.every((release) => release !== null)).toBe(true);
          expect(slots.tryTake(host)).toBeNull();
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('limits the slots of one owner at a host, and delays no other owner', async () => {
  const slots = createHostSlots(4, 2);
  const mine = [slots.tryTake('host', 'a'), slots.tryTake('host', 'a')];
  expect(slots.tryTake('host', 'a')).toBeNull();
  const { signal } = new AbortController();
  const woken: string[] = [];
  const waiting = ['a', 'a', 'b', 'c', 'c'].map(async (owner) => {
    const release = await slots.take('host', { owner, signal });
    woken.push(owner);
    return release;
  });
  await vi.waitFor(() => expect(woken.toSorted()).toEqual(['b', 'c']), 20_000);
  mine[0]?.();
  await vi.waitFor(() => expect(woken.toSorted()).toEqual(['a', 'b', 'c']), 20_000);
  mine[1]?.();
  await vi.waitFor(() => expect(woken.toSorted()).toEqual(['a', 'a', 'b', 'c']), 20_000);
  (await waiting[2])?.();
  await vi.waitFor(() => expect(woken).toHaveLength(5), 20_000);
});

test('gives slots to both kinds of waiters in the order of their arrival', async () => {
  const slots = createHostSlots(1);
  const held = slots.tryTake('host', 'a');
  const order: string[] = [];
  const options = { owner: 'a', signal: never, waitingMax: 1 };
  const keep = (name: string) => (release: Release | null) => {
    order.push(release === null ? `${name} refused` : name);
    release?.();
  };
  slots.enter('host', 'a', keep('first'));
  const leave = slots.enter('host', 'a', keep('left'));
  // Only the calls of `take` count for `waitingMax`.
  const second = slots.take('host', options).then(keep('second'));
  await slots.take('host', options).then(keep('third'));
  slots.enter('host', 'a', keep('fourth'));
  leave();
  held?.();
  await second;
  expect(order).toEqual(['third refused', 'first', 'second', 'fourth']);
});
