import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { shareStatement, shareReads } from '../../../db/core/shared-statements.ts';
import { deferred } from '../support.ts';

type Item = { readonly key: string; readonly isBad?: boolean; readonly waitMs?: number };
type Result = { readonly key: string; readonly group: number };

/** A group commit whose statements are answered when the test says so. */
function open(
  sizeMax = 100,
  options: { readonly patienceMs?: number; readonly statementsMax?: number } = {},
) {
  const groups: (readonly Item[])[] = [];
  const gates: ReturnType<typeof deferred<'go' | 'away'>>[] = [];
  const commit = shareStatement<Item, Result>({
    run: async (items) => {
      const group = groups.push(items);
      const gate = deferred<'go' | 'away'>();
      gates.push(gate);
      if ((await gate.promise) === 'away') throw Object.assign(new Error(), { code: 'EPIPE' });
      return items.map(({ key }) => ({ key, group }));
    },
    keyOf: ({ key }) => key,
    sizeMax,
    waitMs: ({ waitMs = 0 }) => waitMs,
    enough: 3,
    ...options,
  });
  const settle = async (how: 'go' | 'away' = 'go', count = 1): Promise<void> => {
    for (let answered = 0; answered < count; answered += 1) {
      gates.shift()?.resolve(how);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { commit, groups, settle };
}
const sizes = (groups: readonly (readonly Item[])[]) => groups.map((group) => group.length);

test('limits the items of a statement, and keeps the order of arrival', async () => {
  const { commit, groups, settle } = open(3);
  const done = Array.from({ length: 9 }, (_, index) => commit({ key: String(index) }));
  await settle('go', 4);
  await Promise.all(done);
  const keys = groups.map((group) => group.map(({ key }) => key).join(''));
  expect(keys.join(' ')).toBe('0 123 456 78');
});

test('lets a second item of one key wait for the next statement', async () => {
  const { commit, settle } = open();
  const first = commit({ key: 'other' });
  const done = [commit({ key: 'a' }), commit({ key: 'a' }), commit({ key: 'b' })];
  await settle('go', 3);
  await first;
  expect(await Promise.all(done)).toEqual([
    { key: 'a', group: 2 },
    { key: 'a', group: 3 },
    { key: 'b', group: 2 },
  ]);
});

const long = 1_000_000;

test('runs an item that may wait with later items in one statement', async () => {
  const { commit, groups, settle } = open();
  const done = [commit({ key: 'a', waitMs: 20 }), commit({ key: 'b', waitMs: long })];
  expect(groups).toEqual([]);
  await vi.waitFor(() => expect(sizes(groups)).toEqual([2]), 20_000);
  await settle();
  expect(await Promise.all(done)).toMatchObject([{ key: 'a' }, { key: 'b' }]);
});

test('runs the waiting items with one that does not wait, at once', async () => {
  const { commit, groups } = open();
  void commit({ key: 'a', waitMs: long });
  void commit({ key: 'b' });
  expect(sizes(groups)).toEqual([2]);
});

test('runs enough items without a wait, also when they come during a statement', async () => {
  const { commit, groups, settle } = open();
  const three = (name: string) =>
    ['1', '2', '3'].forEach((number) => void commit({ key: name + number, waitMs: long }));
  three('a');
  expect(sizes(groups)).toEqual([3]);
  three('b');
  void commit({ key: 'c', waitMs: long });
  await settle();
  expect(sizes(groups)).toEqual([3, 4]);
  void commit({ key: 'd', waitMs: long });
  await settle();
  expect(sizes(groups)).toEqual([3, 4]);
});

test('rejects all items of a statement that fails, and runs later ones', async () => {
  const { commit, groups, settle } = open();
  const first = commit({ key: 'other' });
  const settled = Promise.allSettled([commit({ key: 'a' }), commit({ key: 'b' })]);
  await settle();
  const next = commit({ key: 'c' });
  await settle('away');
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await settle();
  await Promise.all([first, next]);
  expect(sizes(groups)).toEqual([1, 2, 1]);
});

test('rejects all reads of a statement that fails, and runs later ones', async () => {
  const statements: (readonly string[])[] = [];
  const read = shareReads<string, string>({
    read: async (items) => {
      statements.push(items);
      if (items.includes('bad')) throw new Error('bad');
      return items;
    },
    sizeMax: 10,
  });
  const settled = await Promise.allSettled(['a', 'b', 'bad'].map((item) => read(item)));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await read('c')).toBe('c');
  expect(statements).toEqual([['a'], ['b', 'bad'], ['c']]);
});

test('settles each item once, by its result or failure, however they come and fail', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ pause: fc.nat(3), isBad: fc.boolean(), waitMs: fc.nat(2) }), {
        maxLength: 60,
      }),
      fc.integer({ min: 1, max: 10 }),
      async (given, sizeMax) => {
        let underWay = 0;
        const commit = shareStatement<Item, Result>({
          run: async (items) => {
            underWay += 1;
            expect(underWay).toBe(1);
            expect(items.length).toBeLessThanOrEqual(sizeMax);
            await new Promise((resolve) => setImmediate(resolve));
            underWay -= 1;
            if (items.some(({ isBad }) => isBad)) throw new Error('bad');
            return items.map(({ key }) => ({ key, group: 0 }));
          },
          keyOf: ({ key }) => key,
          sizeMax,
          waitMs: ({ waitMs = 0 }) => waitMs,
        });
        const done: Promise<string | undefined>[] = [];
        for (const [index, { pause, isBad, waitMs }] of given.entries()) {
          done.push(
            commit({ key: String(index), isBad, waitMs }).then(
              (result) => result?.key,
              () => 'bad',
            ),
          );
          for (let turn = 0; turn < pause; turn += 1)
            await new Promise((resolve) => setImmediate(resolve));
        }
        expect(await Promise.all(done)).toEqual(
          given.map(({ isBad }, index) => (isBad ? 'bad' : String(index))),
        );
      },
    ),
    { numRuns: 50 },
  );
});

test('lets no later item wait for a statement that takes too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { commit, groups, settle } = open(100, { patienceMs: 20 });
  const done = ['a', 'b', 'c'].map((key) => commit({ key }));
  await vi.advanceTimersByTimeAsync(19);
  expect(sizes(groups)).toEqual([1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sizes(groups)).toEqual([1, 2]);
  done.push(commit({ key: 'd' }));
  await settle();
  expect(sizes(groups)).toEqual([1, 2]);
  await settle();
  expect(sizes(groups)).toEqual([1, 2, 1]);
  await settle();
  expect(await Promise.all(done)).toEqual([
    { key: 'a', group: 1 },
    { key: 'b', group: 2 },
    { key: 'c', group: 2 },
    { key: 'd', group: 3 },
  ]);
});

test('lets items share a statement once the limit of statements is reached', async () => {
  const { commit, groups, settle } = open(100, { statementsMax: 3 });
  const done = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => commit({ key }));
  expect(sizes(groups)).toEqual([1, 1, 1]);
  await settle();
  expect(sizes(groups)).toEqual([1, 1, 1, 3]);
  await settle('go', 3);
  expect((await Promise.all(done)).map((each) => each?.group)).toEqual([1, 2, 3, 4, 4, 4]);
});
