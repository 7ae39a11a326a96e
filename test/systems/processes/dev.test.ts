import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { root } from '../../support/programs.ts';
import { startTest as test } from './start-fixture.ts';

/** `npm run dev`: the option that it adds to `npm start`. */

test(
  'npm run dev restarts the process whose file has changed, at the same address',
  { timeout: 120_000 },
  async ({ starts }) => {
    const { output, info } = await starts.start({}, '--watch');
    const changed = async (file: string, name: string, other: string): Promise<void> => {
      const before = output().length;
      await utimes(join(root, file), new Date(), new Date());
      await vi.waitFor(
        () => expect(output().slice(before)).toContain(`${name} runs with the changed files`),
        { timeout: 30_000, interval: 50 },
      );
      expect(output().slice(before)).not.toContain(`${other} runs`);
    };
    await changed('api/routes.ts', 'API', 'Worker');
    expect((await fetch(`${info.apiUrl}/ready`)).status).toBe(200);
    await changed('workflows/offers/offer-review.ts', 'Worker', 'API');
  },
);
