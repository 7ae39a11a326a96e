import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test as base, vi } from 'vitest';
import type { Child } from '../../embedded/processes/child-process.ts';
import { startGatewayProcess } from '../../embedded/processes/gateway-process.ts';
import { root } from '../support/programs.ts';

/** A process that is watched, with a small program instead of the API. */

const guard = { watch: () => {}, removeAtEnd: () => {}, release: () => Promise.resolve() };
const works = `
  process.send?.({ type: 'ready', url: 'http://127.0.0.1' });
  setInterval(() => {}, 1000);
`;

const test = base.extend('program', async ({}, { onCleanup }) => {
  const cache = join(root, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'watched-'));
  let child: Child | null = null;
  onCleanup(async () => {
    await child?.stop();
    await rm(folder, { recursive: true });
  });
  const file = join(folder, 'program.ts');
  const watcher = { onRestart: vi.fn(), onFailure: vi.fn<(logTail: string) => void>() };
  return {
    watcher,
    write: (text: string) => writeFile(file, text),
    start: async () => {
      child = await startGatewayProcess({
        name: 'API',
        file: relative(root, file),
        env: process.env,
        logFile: join(folder, 'api.log'),
        guard,
        watcher,
      });
    },
  };
});

const waiting = { timeout: 20_000, interval: 50 };

test.for([
  ['does not compile', 'const x: = 1;', 'Unexpected "="'],
  ['throws', `throw new Error('of the change');`, 'Error: of the change'],
  ['ends', `console.error('The configuration is invalid'); process.exit(1);`, 'is invalid'],
  ['fails later', `setTimeout(() => { throw new Error('later'); }, 10);`, 'Error: later'],
] as const)(
  'reports why changed code %s, and starts it at the next change',
  async ([, broken, reason], { program }) => {
    const { watcher, write, start } = program;
    await write(works);
    await start();
    await write(broken);
    await vi.waitFor(() => expect(watcher.onFailure).toHaveBeenCalledOnce(), waiting);
    expect(watcher.onFailure.mock.calls[0]?.[0]).toContain(reason);
    expect(watcher.onRestart).not.toHaveBeenCalled();
    await write(works);
    await vi.waitFor(() => expect(watcher.onRestart).toHaveBeenCalledOnce(), waiting);
  },
);

test('does not wait for a change if the code does not start at first', async ({ program }) => {
  await program.write('const x: = 1;');
  await expect(program.start()).rejects.toThrow('Unexpected "="');
  expect(program.watcher.onFailure).not.toHaveBeenCalled();
});
