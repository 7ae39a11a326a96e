import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { processStartTime } from '../../embedded/processes/process-start-time.mjs';
import { readRuntimeInfo, type RuntimeInfo } from '../../embedded/state/runtime-info.ts';

/** `npm start` as a person meets it: the real command, in a folder of its own. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsx = createRequire(import.meta.url).resolve('tsx');

type Started = {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly info: RuntimeInfo;
};

let home: string;
const starters: ChildProcess[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'vendor-gateway-start-'));
});
afterEach(async () => {
  await Promise.all(starters.splice(0).map((child) => stop(child, 'SIGINT')));
  // The guard of a start that was killed may still be at work in there.
  await vi.waitFor(() => rm(home, { recursive: true, force: true }), { timeout: 20_000 });
});

function environment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, TEMPORAL_ADDRESS: _temporal, ...rest } = process.env;
  const ports = { PORT: '0', POSTGRES_PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0' };
  return { ...rest, ...ports, NODE_ENV: 'development', GATEWAY_HOME: home };
}

async function start(): Promise<Started> {
  const child = spawn(process.execPath, ['--import', tsx, 'scripts/start.ts'], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  starters.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await vi.waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`npm start ended:\n${output}`);
      expect(output).toContain('Ctrl-C stops everything');
    },
    { timeout: 60_000, interval: 50 },
  );
  const info = await readRuntimeInfo(home);
  if (info === undefined) throw new Error(`no running gateway:\n${output}`);
  return { child, output: () => output, info };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Every process that a start began, as its own list of them says. */
async function begun(): Promise<readonly { readonly pid: number; readonly startTime: string }[]> {
  const lines = (await readFile(join(home, 'pids'), 'utf8')).matchAll(
    /"pid":(\d+).*?"startTime":"([^"]+)"/g,
  );
  return Array.from(lines, ([, pid, startTime]) => ({
    pid: Number(pid),
    startTime: startTime ?? '',
  }));
}

const living = (list: Awaited<ReturnType<typeof begun>>) =>
  list.filter(({ pid, startTime }) => processStartTime(pid) === startTime);

/** The commands that the start prints, pasted into a shell. */
async function pasteFirstCalls({ output }: Started): Promise<string> {
  const [, commands = ''] = /(TOKEN=\$\(curl[\s\S]*?)\n\nnpm run demo/.exec(output()) ?? [];
  const { stdout } = await promisify(execFile)('bash', ['-c', commands]);
  return stdout;
}

test('the printed curl works, Ctrl-C ends every process, and a second start finds the data', async () => {
  const first = await start();
  const created: unknown = JSON.parse(await pasteFirstCalls(first));
  expect(created).toMatchObject({
    state: 'SUCCESS',
    payload: { status: 'PendingMatch', cost: 100 },
  });
  const processes = await begun();
  expect(living(processes).length).toBeGreaterThanOrEqual(4);
  await stop(first.child, 'SIGINT');
  expect(living(processes)).toEqual([]);
  expect(first.output()).toContain('Stopped.');

  const second = await start();
  expect(second.info.vendor).toEqual(first.info.vendor);
  expect(JSON.parse(await pasteFirstCalls(second))).toEqual(created);
});

test('a start that is killed outright leaves no process behind', async () => {
  const { child } = await start();
  const processes = await begun();
  expect(living(processes).length).toBeGreaterThanOrEqual(4);
  await stop(child, 'SIGKILL');
  await vi.waitFor(() => expect(living(processes)).toEqual([]), { timeout: 30_000, interval: 50 });
});

test('a second start in the same folder says that one is running, and leaves it alone', async () => {
  const { info } = await start();
  const second = promisify(execFile)(process.execPath, ['--import', tsx, 'scripts/start.ts'], {
    cwd: root,
    env: environment(),
  });
  await expect(second).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already running'),
  });
  expect((await fetch(`${info.apiUrl}/ready`)).status).toBe(200);
});
