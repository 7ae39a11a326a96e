import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { blocksIn, guide, runs } from './guide-blocks.ts';
import { guideTest as test } from './guide-fixture.ts';

/** The programs of docs/first-day.md print what it says; guides.test.ts has its commands. */

const run = promisify(execFile);

/** The JSON values that stand one after another in a text, as their lines without blanks. */
const valuesIn = (text: string): string => text.replaceAll(/\s+/g, '');

const root = fileURLToPath(new URL('../../..', import.meta.url));
const python = join(root, '.cache/guides/python/bin/python');

type Language = {
  readonly name: string;
  readonly isMissing: boolean;
  /** Writes the blocks into the folder, and answers the program that runs them. */
  readonly write: (page: string, folder: string) => Promise<readonly [string, ...string[]]>;
};

const languages: readonly Language[] = [
  {
    name: 'TypeScript',
    isMissing: false,
    write: async (page, folder) => {
      // Node finds the client, as it does in the repository.
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
      await writeFile(join(folder, 'first-day.mts'), blocksIn(page, 'ts').join('\n'));
      return [process.execPath, '--conditions=source', '--import=tsx', 'first-day.mts'];
    },
  },
  {
    name: 'Python',
    isMissing: !runs(python, '-c', 'import httpx, standardwebhooks'),
    write: async (page, folder) => {
      await writeFile(join(folder, 'first_day.py'), blocksIn(page, 'py').join('\n'));
      return [python, 'first_day.py'];
    },
  },
];

for (const { name, isMissing, write } of languages)
  test.skipIf(isMissing)(
    `the first day in ${name} prints what the page says`,
    async ({ filled, folder }) => {
      const own = await filled('first-day');
      const [program, ...options] = await write(own, folder);
      // The machine may send programs through a proxy, which does not lead to loopback.
      const env = { ...process.env, no_proxy: '*', NO_PROXY: '*' };
      const { stdout } = await run(program, options, { cwd: folder, env, timeout: 60_000 });
      expect(valuesIn(stdout)).toBe(valuesIn(blocksIn(own, 'json').join('')));
    },
  );

test('each step of the page is there in every language', async () => {
  const page = await guide('first-day');
  const counts = ['sh', 'ts', 'py'].map((language) => blocksIn(page, language).length);
  // In a shell, the credential has a block of its own.
  expect(counts).toEqual([7, 6, 6]);
});
