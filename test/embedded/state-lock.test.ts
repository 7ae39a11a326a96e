import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lockStateDir } from '../../embedded/state/state-lock.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsx = createRequire(import.meta.url).resolve('tsx');

test('names the process of a locked folder, and releases the lock at its SIGKILL', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-lock-'));
  const program = `
    import { lockStateDir } from './embedded/state/state-lock.ts';
    console.log(lockStateDir(${JSON.stringify(folder)}));
    setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    ['--import', tsx, '--input-type=module', '--eval', program],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const [output] = (await once(child.stdout, 'data')) as [Buffer];
    expect(output.toString()).toBe('null\n');
    expect(lockStateDir(folder)).toBe(String(child.pid));
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(lockStateDir(folder)).toBeNull();
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  }
});
