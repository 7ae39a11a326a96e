import { once } from 'node:events';
import { expect, test } from 'vitest';
import { withTimeLimit } from '../../activities/time-limit.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

test('ends work at its time after a garbage collection too', { timeout: 5000 }, async () => {
  const stopping = new AbortController();
  await withTimeLimit(stopping.signal, 200, async (limited) => {
    setTimeout(collectGarbage, 50);
    await once(limited, 'abort');
  });
  expect(stopping.signal.aborted).toBe(false);
});

test('ends work before its time when the worker stops', { timeout: 5000 }, async () => {
  const stopping = new AbortController();
  await withTimeLimit(stopping.signal, 60_000, async (limited) => {
    setTimeout(() => stopping.abort(), 10);
    await once(limited, 'abort');
  });
});
