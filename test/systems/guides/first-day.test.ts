import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { blocksIn, guide, runs } from './guide-blocks.ts';
import { guideTest as test } from './guide-fixture.ts';
import { comparable } from './run-steps.ts';

/** The programs of docs/first-day.md, run twice; guides.test.ts pastes its commands twice. */

const run = promisify(execFile);

const root = fileURLToPath(new URL('../../..', import.meta.url));
const python = join(root, '.cache/guides/python/bin/python');

type Language = {
  readonly name: string;
  readonly isMissing: boolean;
  /** Pastes the blocks of the page twice; what both pastes print. */
  readonly pasteTwice: (page: string, folder: string) => Promise<string>;
};

async function outputOf(folder: string, program: string, ...options: readonly string[]) {
  // The machine may send programs through a proxy, which does not lead to loopback.
  const env = { ...process.env, no_proxy: '*', NO_PROXY: '*' };
  const { stdout } = await run(program, options, { cwd: folder, env, timeout: 90_000 });
  return stdout;
}

const languages: readonly Language[] = [
  {
    name: 'TypeScript',
    isMissing: false,
    pasteTwice: async (page, folder) => {
      // Node finds the client, as it does in the repository.
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
      await writeFile(join(folder, 'first-day.mts'), blocksIn(page, 'ts').join('\n'));
      const options = ['--conditions=source', '--import=tsx', 'first-day.mts'];
      const first = await outputOf(folder, process.execPath, ...options);
      return first + (await outputOf(folder, process.execPath, ...options));
    },
  },
  {
    name: 'Python',
    isMissing: !runs(python, '-c', 'import httpx, standardwebhooks'),
    pasteTwice: async (page, folder) => {
      // As in one session of the interpreter.
      const blocks = blocksIn(page, 'py');
      await writeFile(join(folder, 'first_day.py'), [...blocks, ...blocks].join('\n'));
      return outputOf(folder, python, 'first_day.py');
    },
  },
];

for (const { name, isMissing, pasteTwice } of languages)
  test.skipIf(isMissing)(
    `the first day in ${name} prints what the page says, also when pasted again`,
    { timeout: 120_000 },
    async ({ filled, folder }) => {
      const own = await filled('first-day');
      const printed = comparable(await pasteTwice(own, folder));
      const first = blocksIn(own, 'json').join('');
      // The second paste has another name for its offer.
      const second = first.replace(/(?<=my-oud-50-)\d+/, '1795271144');
      expect(second).not.toBe(first);
      expect(printed).toBe(comparable(first + second));
    },
  );

test('each step of the page is there in every language', async () => {
  const page = await guide('first-day');
  const counts = ['sh', 'ts', 'py'].map((language) => blocksIn(page, language).length);
  // In a shell, the credential has a block of its own.
  expect(counts).toEqual([7, 6, 6]);
});
