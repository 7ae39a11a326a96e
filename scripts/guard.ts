import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processStartTime } from './process-start-time.mjs';

const GUARD = fileURLToPath(new URL('./guard-process.mjs', import.meta.url));

/** A process that must not outlive the starter, and the signal that ends it in good order. */
export type Guarded = {
  readonly pid: number;
  readonly signal: NodeJS.Signals;
  /** `app` processes are ended before `server` ones, which they use. */
  readonly stage: 'app' | 'server';
};

/** A small process beside the starter that ends the starter's servers if the starter is killed outright. */
export type Guard = {
  watch(process: Guarded): void;
  /** Has a folder removed once everything has ended. For temporary data only. */
  removeAtEnd(folder: string): void;
  /** Ends whatever of the watched processes still runs, and the guard. */
  release(): Promise<void>;
};

/** It is detached, so that Ctrl-C in the terminal does not reach it, and knows by the end of its stdin that we are gone. */
function spawnGuard(): ChildProcess {
  const child = spawn(process.execPath, [GUARD], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] },
  });
  // Writing to a guard that has just been killed is not a reason to fall over: a new one is started below.
  child.stdin?.on('error', () => {});
  child.on('error', () => {});
  child.unref();
  return child;
}

/** Has a guard act now, and waits until it has. */
async function finish(child: ChildProcess, input = ''): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.ref();
  child.stdin?.end(input);
  await ended;
}

/**
 * Starts a guard. With a `pidFile`, what it watches is also written there, for {@link endLeftovers} of a later start
 * (starter and guard may be killed together).
 */
export function startGuard(pidFile?: string): Guard {
  const lines: string[] = [];
  let isReleased = false;
  let replacements = 5;
  let child = spawnGuard();

  const keep = (line: object) => {
    const text = `${JSON.stringify(line)}\n`;
    if (pidFile !== undefined) appendFileSync(pidFile, text, { mode: 0o600 });
    return text;
  };
  const tell = (line: object) => {
    const text = keep(line);
    lines.push(text);
    child.stdin?.write(text);
  };
  const settle = () => {
    if (child.pid !== undefined) keep({ guard: child.pid, startTime: processStartTime(child.pid) });
    child.once('exit', () => {
      if (isReleased || replacements-- === 0) return;
      child = spawnGuard();
      settle();
      child.stdin?.write(lines.join(''));
    });
  };
  settle();

  return {
    watch(guarded) {
      const startTime = processStartTime(guarded.pid);
      if (startTime === undefined) return;
      // Started while everything else was being stopped: nobody would end it any more.
      if (isReleased) process.kill(guarded.pid, 'SIGKILL');
      else tell({ ...guarded, startTime });
    },
    removeAtEnd: (folder) => tell({ remove: folder }),
    async release() {
      isReleased = true;
      await finish(child);
      if (pidFile !== undefined) rmSync(pidFile, { force: true });
    },
  };
}

/**
 * Ends what an earlier start that was killed left in its `pidFile`. Its guard, if it still lives, is at exactly that:
 * then it is waited for. Answers whether anything was there.
 */
export async function endLeftovers(pidFile: string): Promise<boolean> {
  let text: string;
  try {
    text = readFileSync(pidFile, 'utf8');
  } catch {
    return false;
  }
  for (const [, pid, startTime] of text.matchAll(/"guard":(\d+),"startTime":"([^"]+)"/g)) {
    while (processStartTime(Number(pid)) === startTime) await sleep(50);
  }
  await finish(spawnGuard(), text);
  rmSync(pidFile, { force: true });
  return true;
}
