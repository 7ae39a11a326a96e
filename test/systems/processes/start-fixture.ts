import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base, vi } from 'vitest';
import { processStartTime } from '../../../embedded/processes/process-start-time.mjs';
import { readRuntimeInfo } from '../../../embedded/state/runtime-info.ts';
import { root } from '../../support/programs.ts';

/** The arguments of Node that `npm start` has in package.json. */
export const startCommand = ['embedded/processes/run-typescript.mjs', 'scripts/start.ts'];

/** Sends a signal to a start and waits for its end. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Waits until a start says that it is ready, and finds its addresses. */
async function untilReady(child: ChildProcess, home: string) {
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

/** A running `npm start`. */
export type Started = Awaited<ReturnType<typeof untilReady>>;

/** A test with `npm start`: the real command, in a folder of the file's own. */
export const startTest = base.extend('starts', { scope: 'file' }, async ({}, { onCleanup }) => {
  const home = await mkdtemp(join(tmpdir(), 'vendor-gateway-start-'));
  const { DATABASE_URL: _database, TEMPORAL_ADDRESS: _temporal, ...rest } = process.env;
  const ports = { PORT: '0', POSTGRES_PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0' };
  // As npm sets it: a start ends with the process that began it, here with a Vitest that is killed.
  const ofNpm = { npm_lifecycle_event: 'start' };
  const environment = { ...rest, ...ports, ...ofNpm, NODE_ENV: 'development', GATEWAY_HOME: home };
  const starters: ChildProcess[] = [];
  onCleanup(async () => {
    await Promise.all(starters.map((child) => stop(child, 'SIGINT')));
    // The guard of a start that was killed may still be at work in there.
    await vi.waitFor(() => rm(home, { recursive: true, force: true }), 20_000);
  });
  return {
    home,
    environment,
    /** Starts the gateway and waits until it is ready. */
    start: (extra: NodeJS.ProcessEnv = {}, ...options: readonly string[]) => {
      const child = spawn(process.execPath, [...startCommand, ...options], {
        cwd: root,
        env: { ...environment, ...extra },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      starters.push(child);
      return untilReady(child, home);
    },
  };
});

/**
 * Every process that a start began, as its own list of them says. The start time distinguishes a
 * process from a later one with the same pid.
 */
export async function begun(home: string) {
  const lines = (await readFile(join(home, 'pids'), 'utf8')).matchAll(
    /"pid":(\d+).*?"startTime":"([^"]+)"/g,
  );
  return Array.from(lines, ([, pid, startTime]) => ({
    pid: Number(pid),
    startTime: startTime ?? '',
  }));
}

/** The processes of a list that still run. */
export const living = (list: Awaited<ReturnType<typeof begun>>) =>
  list.filter(({ pid, startTime }) => processStartTime(pid) === startTime);
