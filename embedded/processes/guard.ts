import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processStartTime } from './process-start-time.mjs';

const GUARD = fileURLToPath(new URL('./guard-process.mjs', import.meta.url));

/** A process that must not outlive the starter, and the signal that ends it gracefully. */
export type GuardedProcess = {
  readonly pid: number;
  readonly signal: NodeJS.Signals;
  /** The guard ends `app` processes before the `server` processes that they use. */
  readonly stage: 'app' | 'server';
};

/** A small process that ends the starter's other processes, even after SIGKILL of the starter. */
export type Guard = {
  watch(process: GuardedProcess): void;
  /** Removes a folder of temporary data after every process has ended. */
  removeAtEnd(folder: string): void;
  /** Ends every watched process that still runs, in order of the stages, and then the guard. */
  release(): Promise<void>;
};

/** Detached, so that Ctrl-C in the terminal does not reach the guard. */
function spawnGuard(): ChildProcess {
  const guard = spawn(process.execPath, [GUARD], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] },
  });
  // A write to a guard that was just killed fails; its replacement gets every line again.
  guard.stdin?.on('error', () => {});
  guard.on('error', () => {});
  guard.unref();
  return guard;
}

/** Makes a guard act now and waits for its end. */
async function finish(guard: ChildProcess, input = ''): Promise<void> {
  const ended = once(guard, 'exit');
  guard.ref();
  guard.stdin?.end(input);
  await ended;
}

/**
 * Starts a guard. `pidFile` receives what the guard watches, so that {@link endLeftovers} of a
 * later start can end it if the starter and the guard were killed together.
 */
export function startGuard(pidFile?: string): Guard {
  const lines: string[] = [];
  let isReleased = false;
  let replacementsLeft = 5;

  const record = (entry: object): string => {
    const line = `${JSON.stringify(entry)}\n`;
    if (pidFile !== undefined) appendFileSync(pidFile, line, { mode: 0o600 });
    return line;
  };
  const start = (): ChildProcess => {
    const next = spawnGuard();
    if (next.pid !== undefined) record({ guard: next.pid, startTime: processStartTime(next.pid) });
    next.stdin?.write(lines.join(''));
    next.once('exit', () => {
      if (!isReleased && replacementsLeft-- > 0) guard = start();
    });
    return next;
  };
  const send = (entry: object) => {
    const line = record(entry);
    lines.push(line);
    guard.stdin?.write(line);
  };
  let guard = start();

  return {
    watch(watched) {
      const startTime = processStartTime(watched.pid);
      if (startTime === undefined) return;
      // A process that starts during the release is unknown to the guard.
      if (isReleased) process.kill(watched.pid, 'SIGKILL');
      else send({ ...watched, startTime });
    },
    removeAtEnd: (folder) => send({ remove: folder }),
    async release() {
      isReleased = true;
      const isAlive = guard.exitCode === null && guard.signalCode === null;
      await (isAlive ? finish(guard) : finish(spawnGuard(), lines.join('')));
      if (pidFile !== undefined) rmSync(pidFile, { force: true });
    },
  };
}

/**
 * Ends what a killed start left in its `pidFile`, and returns whether the file existed. Waits for
 * the guard of that start if it still runs, since that guard ends the same processes.
 */
export async function endLeftovers(pidFile: string): Promise<boolean> {
  let entries: string;
  try {
    entries = readFileSync(pidFile, 'utf8');
  } catch {
    return false;
  }
  for (const [, pid, startTime] of entries.matchAll(/"guard":(\d+),"startTime":"([^"]+)"/g)) {
    while (processStartTime(Number(pid)) === startTime) await sleep(50);
  }
  await finish(spawnGuard(), entries);
  rmSync(pidFile, { force: true });
  return true;
}
