import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { processTree } from '../../../bench/harness/measures/process-tree.ts';
import { newFolder } from '../../support/folder.ts';

const runTypescript = 'embedded/processes/run-typescript.mjs';
const esbuild = createRequire(import.meta.url).resolve('esbuild/bin/esbuild');

test('gives the compiler no secret', async ({ onTestFinished }) => {
  const folder = await newFolder(onTestFinished);
  const compiler = join(folder, 'compiler.sh');
  const recorded = `#!/bin/sh\nenv > "${folder}/environment-$$"\nexec "${esbuild}" "$@"\n`;
  await writeFile(compiler, recorded, { mode: 0o700 });
  const sender = spawn(
    process.execPath,
    [runTypescript, 'test/deliveries/sender/sender-process.ts'],
    {
      env: {
        PATH: process.env['PATH'],
        ESBUILD_BINARY_PATH: compiler,
        SECRETS_KEY: 'a-secret-of-the-worker',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  onTestFinished(async () => {
    const ended = once(sender, 'exit');
    if (sender.kill('SIGKILL')) await ended;
  });
  await once(sender.stdout, 'data');
  const { pid = 0 } = sender;
  await vi.waitFor(() => expect([...processTree(pid).keys()]).toEqual([pid]), 20_000);
  const environments = (await readdir(folder)).filter((name) => name.startsWith('environment-'));
  expect(environments).toHaveLength(1);
  for (const name of environments)
    expect(await readFile(join(folder, name), 'utf8')).not.toContain('a-secret-of-the-worker');
});
