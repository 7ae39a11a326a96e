import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { descendantsOf, readProcess } from '../support/processes.ts';

const runTypescript = 'embedded/processes/run-typescript.mjs';

test('no compiler of a process or of its sender’s thread receives a secret of the process', async ({
  onTestFinished,
}) => {
  // tsx has its cache there: without one, esbuild has to run.
  const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-sender-'));
  const sender = spawn(process.execPath, [runTypescript, 'test/worker/sender-process.ts'], {
    env: { PATH: process.env['PATH'], TMPDIR: folder, SECRETS_KEY: 'a-secret-of-the-worker' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const ended = once(sender, 'exit');
    if (sender.kill('SIGKILL')) await ended;
    await rm(folder, { recursive: true, force: true });
  });
  await once(sender.stdout, 'data');
  const pids = await descendantsOf(sender.pid ?? 0);
  const compilers = await Promise.all(pids.map((pid) => readProcess(pid)));
  expect(compilers.map(({ commandLine }) => /esbuild/.exec(commandLine)?.[0])).toEqual(
    // Node 22.18 compiles the thread's modules itself.
    !('typescript' in process.features) ? ['esbuild', 'esbuild'] : ['esbuild'],
  );
  for (const { environment } of compilers)
    expect(Object.values(environment)).not.toContain('a-secret-of-the-worker');
});
