import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { root } from '../../support/programs.ts';
import { blocksIn, guide, runs } from './guide-steps.ts';
import type { guideTest } from './guide-fixture.ts';
import { comparable } from './run-steps.ts';

/** The programs of a guide in each language, run twice. */

const run = promisify(execFile);
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
      await writeFile(join(folder, 'guide.mts'), blocksIn(page, 'ts').join('\n'));
      const options = ['--conditions=source', '--import=tsx', 'guide.mts'];
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
      await writeFile(join(folder, 'guide.py'), [...blocks, ...blocks].join('\n'));
      return outputOf(folder, python, 'guide.py');
    },
  },
];

/** Tests the programs of a guide, whose shell has these blocks more than each of them. */
export function testPrograms(test: typeof guideTest, name: string, moreInShell: number): void {
  for (const { name: language, isMissing, pasteTwice } of languages)
    test.skipIf(isMissing)(
      `prints what docs/${name}.md says in ${language}, also when pasted again`,
      async ({ filled, folder }) => {
        const own = filled(name);
        const printed = comparable(await pasteTwice(own, folder));
        const first = blocksIn(own, 'json').join('');
        // The second paste has another name and ids of its own.
        const second = first
          .replace(/(?<=-)1795271143\b/, '1795271144')
          .replaceAll(/[\da-f]{8}(?=(?:-[\da-f]{4}){3}-)/g, 'ffffffff');
        expect(second).not.toBe(first);
        expect(printed).toBe(comparable(first + second));
      },
    );

  test(`has each step of docs/${name}.md in every language`, () => {
    const page = guide(name);
    const [sh = 0, ts, py] = ['sh', 'ts', 'py'].map((each) => blocksIn(page, each).length);
    expect(ts).toBeGreaterThan(4);
    expect([sh - moreInShell, py]).toEqual([ts, ts]);
  });
}
