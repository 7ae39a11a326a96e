import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processStartTime } from './process-start-time.mjs';

const GUARD = fileURLToPath(new URL('./guard-process.mjs', import.meta.url));

/** A process that must not outlive the starter, and the signal that ends it gracefully. */
export type GuardedProcess = {
  readonly pid: number;
  readonly signal: NodeJS.Signals;
  /**
   * The guard ends `api` processes first, because their calls in progress need the worker, then
   * `app` processes, and then the `server` processes that they use.
   */
  readonly stage: 'api' | 'app' | 'server';
};

/** Detached, so that Ctrl-C in the terminal does not reach the guard. */
function spawnGuard(pidFile: string): ChildProcess {
  const guard = spawn(process.execPath, [GUARD, pidFile], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] },
  });
  guard.unref();
  return guard;
}

/** Makes a guard act now and waits for its end. */
async function finish(guard: ChildProcess): Promise<void> {
  const ended = once(guard, 'exit');
  guard.ref();
  guard.stdin?.end();
  await ended;
}

/**
 * Starts a guard: a small process that ends the starter's other processes, even after SIGKILL of
 * the starter. `pidFile` has what it watches, so that {@link endLeftovers} of a later start can
 * end it if the starter and the guard were killed together.
 */
export function startGuard(pidFile: string) {
  let isReleased = false;
  const guard = spawnGuard(pidFile);
  const record = (entry: object) =>
    appendFileSync(pidFile, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  if (guard.pid !== undefined) record({ guard: guard.pid, startTime: processStartTime(guard.pid) });
  return {
    watch(watched: GuardedProcess): void {
      const startTime = processStartTime(watched.pid);
      if (startTime === undefined) return;
      // A process that starts during the release is unknown to the guard.
      if (isReleased) process.kill(watched.pid, 'SIGKILL');
      else record({ ...watched, startTime });
    },
    /** Removes a folder of temporary data after every process has ended. */
    removeAtEnd: (folder: string): void => record({ remove: folder }),
    /** Ends every watched process that still runs, and then the guard. */
    async release(): Promise<void> {
      isReleased = true;
      const isAlive = guard.exitCode === null && guard.signalCode === null;
      await finish(isAlive ? guard : spawnGuard(pidFile));
    },
  };
}

export type Guard = ReturnType<typeof startGuard>;

/**
 * Ends what a killed start left in its `pidFile`, and returns whether the file existed. Waits for
 * the guard of that start if it still runs, since that guard ends the same processes.
 */
export async function endLeftovers(pidFile: string): Promise<boolean> {
  if (!existsSync(pidFile)) return false;
  const entries = readFileSync(pidFile, 'utf8');
  for (const [, pid, startTime] of entries.matchAll(/"guard":(\d+),"startTime":"([^"]+)"/g)) {
    while (processStartTime(Number(pid)) === startTime) await sleep(50);
  }
  await finish(spawnGuard(pidFile));
  return true;
}
