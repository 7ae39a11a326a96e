import { once } from 'node:events';
import { expect, test } from 'vitest';
import { withTimeLimit } from '../../activities/time-limit.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

test('ends work at its limit, also after a garbage collection', { timeout: 5000 }, async () => {
  const { signal } = new AbortController();
  setTimeout(collectGarbage, 50);
  await withTimeLimit(signal, 200, (limited) => once(limited, 'abort'));
  expect(signal.aborted).toBe(false);
});
