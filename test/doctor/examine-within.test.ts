import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Check } from '../../doctor/check.ts';
import { examineWithin } from '../../doctor/examine.ts';
import type { Runs } from '../../temporal/runs/open-runs.ts';

// The checks name no workflow.
const context = { runs: {} as Runs };

/** A check that reads a given number of pages, one each 50 ms, and finds nothing. */
const checkOf = (id: string, pages: number): Check<typeof context> => ({
  id,
  title: id,
  subjectType: 'page',
  kind: null,
  repair: null,
  find: async function* find() {
    for (let page = 0; page < pages; page += 1) {
      await delay(50);
      yield { checked: 1, wrong: [] };
    }
  },
});

test('completes each check that its share is enough for, though the first takes all of its own', async () => {
  const begunAt = performance.now();
  const quick = Array.from({ length: 9 }, (_, index) => checkOf(`quick-${index}`, 1));
  const checks = [checkOf('endless', Infinity), ...quick];
  const results = await examineWithin(context, checks, { timeLimitMs: 3000, findingsMax: 1 });
  expect(results.map(({ id, isComplete }) => [id, isComplete])).toEqual(
    checks.map(({ id }) => [id, id !== 'endless']),
  );
  expect(performance.now() - begunAt).toBeLessThan(6000);
});

test('runs a check again in the time that the others have left', async () => {
  const checks = [checkOf('long', 20), ...Array.from({ length: 9 }, (_, n) => checkOf(`${n}`, 0))];
  const results = await examineWithin(context, checks, { timeLimitMs: 5000, findingsMax: 1 });
  expect(results.map(({ isComplete }) => isComplete)).not.toContain(false);
  expect(results[0]).toMatchObject({ id: 'long', checked: 20 });
});
