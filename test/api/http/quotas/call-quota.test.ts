import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createCallQuota, type Leave } from '../../../../api/http/quotas/call-quota.ts';
import { pauseMsAfter } from '../../../../api/http/quotas/vendor-quotas.ts';

const never = (): void => undefined;
const limits = { max: 2, waitingMax: 3, waitMs: 1000 };

test('limits the running calls of a key, and begins the others in order of arrival', async () => {
  const quota = createCallQuota(limits);
  const [first, second] = [await quota.enter('a', never), await quota.enter('a', never)];
  const begun: number[] = [];
  const waiting = [3, 4, 5].map(async (call) => {
    const leave = await quota.enter('a', never);
    begun.push(call);
    return leave;
  });
  expect(await quota.enter('b', never)).not.toBeNull();
  expect(begun).toEqual([]);
  first?.();
  (await waiting[0])?.();
  await waiting[1];
  expect(begun).toEqual([3, 4]);
  second?.();
  await waiting[2];
  expect(begun).toEqual([3, 4, 5]);
});

test('refuses a call when its wait is over, and gives it no permit later', async () => {
  vi.useFakeTimers();
  try {
    const quota = createCallQuota({ ...limits, max: 1 });
    const leave = await quota.enter('a', never);
    const waiting = quota.enter('a', never);
    vi.advanceTimersByTime(limits.waitMs);
    expect(await waiting).toBeNull();
    leave?.();
    expect(await quota.enter('a', never)).not.toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

/** What may happen to one of several calls; a call that is not there any more is left alone. */
const steps = fc.array(
  fc.record({ act: fc.constantFrom('enter', 'leave', 'go'), call: fc.nat(11) } as const),
  { maxLength: 80 },
);

test('never exceeds the quota and loses no permit, however calls come, end and leave', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const quota = createCallQuota({ ...limits, waitMs: 60_000 });
      const calls: { leave?: Leave | null; go: () => void }[] = [];
      const running = () => calls.filter(({ leave }) => leave != null);
      const end = (call: (typeof calls)[number]): void => {
        call.leave?.();
        if (call.leave !== undefined) call.leave = null;
      };
      const enter = async (): Promise<void> => {
        const call: (typeof calls)[number] = { go: never };
        calls.push(call);
        call.leave = await quota.enter('a', (go) => {
          call.go = go;
        });
      };
      for (const { act, call: number } of taken) {
        const call = calls[number];
        if (act === 'enter') void enter();
        if (act === 'go') call?.go();
        if (act === 'leave' && call !== undefined) end(call);
        await new Promise(setImmediate);
        expect(running().length).toBeLessThanOrEqual(limits.max);
      }
      // All calls end: the waiting ones follow, and then the whole quota is free.
      while (running().length > 0) {
        running().forEach(end);
        await new Promise(setImmediate);
      }
      expect(calls.every(({ leave }) => leave === null)).toBe(true);
      const again = await Promise.all([quota.enter('a', never), quota.enter('a', never)]);
      expect(again.every((leave) => leave !== null)).toBe(true);
    }),
  );
});

test('pauses after a long list as long as it took, at most 250 ms, and after no other call', () => {
  const pauses = [5, 20, 40, 250, 5000].map((tookMs) => pauseMsAfter('lists', tookMs));
  expect(pauses).toEqual([0, 0, 40, 250, 250]);
  expect([pauseMsAfter('calls', 5000), pauseMsAfter('waits', 5000)]).toEqual([0, 0]);
});
