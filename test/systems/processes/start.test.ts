import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import {
  begun,
  living,
  root,
  startCommand,
  startedTest,
  startTest as test,
  stop,
  type Started,
} from './start-fixture.ts';

/** `npm start` as a person meets it: the real command, in a folder of its own. */

/** The commands that the start prints, pasted into a shell. */
async function pasteFirstCalls({ output }: Started): Promise<string> {
  const [, commands = ''] = /(TOKEN=\$\(curl[\s\S]*?)\n\nFor the examples/.exec(output()) ?? [];
  const { stdout } = await promisify(execFile)('bash', ['-c', commands]);
  return stdout;
}

startedTest(
  'a second start in the same folder says that one is running, and leaves it alone',
  async ({ starts, started }) => {
    const second = promisify(execFile)(process.execPath, startCommand, {
      cwd: root,
      env: starts.environment,
    });
    await expect(second).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already running'),
    });
    expect((await fetch(`${started.info.apiUrl}/ready`)).status).toBe(200);
  },
);

startedTest(
  'a start that is killed outright leaves no process behind',
  async ({ starts, started: { child } }) => {
    const processes = await begun(starts.home);
    expect(living(processes).length).toBeGreaterThanOrEqual(4);
    await stop(child, 'SIGKILL');
    await vi.waitFor(() => expect(living(processes)).toEqual([]), {
      timeout: 30_000,
      interval: 50,
    });
  },
);

test('the printed curl works, Ctrl-C ends every process and a second start finds the data', async ({
  starts,
}) => {
  const first = await starts.start();
  const created = JSON.parse(await pasteFirstCalls(first)) as Readonly<Record<string, unknown>>;
  expect(created).toMatchObject({
    state: 'SUCCESS',
    payload: { status: 'PendingMatch', cost: 100 },
  });
  const processes = await begun(starts.home);
  expect(living(processes).length).toBeGreaterThanOrEqual(4);
  await stop(first.child, 'SIGINT');
  expect(living(processes)).toEqual([]);
  expect(first.output()).toContain('Stopped.');

  const second = await starts.start();
  expect(second.info.vendor).toEqual(first.info.vendor);
  // The printed call has a key, so the second start finds the offer of the first (D87).
  expect(JSON.parse(await pasteFirstCalls(second))).toEqual({
    ...created,
    details: { existing: true },
  });
});
