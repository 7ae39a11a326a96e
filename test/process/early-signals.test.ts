import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../support/programs.ts';

const run = promisify(execFile);

test('stops at a signal that arrives while the start hands signals over', async () => {
  // The event loop reads the signal only after the hand-over.
  const program = `
    import { endOnEarlySignals, stopOnSignals } from './process/early-signals.ts';
    endOnEarlySignals();
    await new Promise((resolve) => setTimeout(resolve));
    process.kill(process.pid, 'SIGTERM');
    stopOnSignals(() => {
      console.log('stopped');
      process.exit(0);
    });
    process.stdin.resume();`;
  const options = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const { stdout } = await run(process.execPath, options, { cwd: root });
  expect(stdout).toBe('stopped\n');
});
