import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guard, Guarded } from './guard.ts';

/** How a process is started, watched and ended. */
export type Launch = Omit<Guarded, 'pid'> & {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Its output is appended here. */
  readonly logFile: string;
  readonly guard: Guard;
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** Opens an IPC channel, which also tells the child when we are gone. */
  readonly ipc?: boolean;
};

/** A running child process. */
export type Child = {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  readonly process: ChildProcess;
  /** Settles with how it ended ("exit code 1", "SIGKILL"), whoever ended it. */
  readonly exited: Promise<string>;
  hasExited(): boolean;
  /** Ends it in good order, by force after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
};

/**
 * Starts a process in a group of its own, so that the Ctrl-C of a terminal reaches only the starter, which then ends
 * everything in order; the guard is told of it at once.
 */
export async function launch(options: Launch): Promise<Child> {
  const log = openSync(options.logFile, 'a', 0o600);
  const child = spawn(options.command, options.args, {
    detached: true,
    env: options.env,
    stdio: options.ipc === true ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
    ...options.account,
  });
  closeSync(log);
  let ending: string | undefined;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve((ending = signal ?? `exit code ${String(code)}`)));
    child.once('error', (error) => resolve((ending ??= error.message)));
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.name} could not be started: ${await exited}`);
  options.guard.watch({ pid, signal: options.signal, stage: options.stage });

  return {
    name: options.name,
    pid,
    logFile: options.logFile,
    process: child,
    exited,
    hasExited: () => ending !== undefined,
    async stop(graceMs = 10_000) {
      if (ending !== undefined) return;
      child.kill(options.signal);
      const patience = new AbortController();
      await Promise.race([exited, sleep(graceMs, undefined, { signal: patience.signal })]);
      if (ending === undefined) child.kill('SIGKILL');
      await exited;
      patience.abort();
    },
  };
}

/** Looks every 25 ms until `isReady` holds. Throws when the child ends first or `limitMs` pass, with the end of its log. */
export async function untilReady(child: Child, isReady: () => Promise<boolean>, limitMs = 60_000) {
  const deadline = Date.now() + limitMs;
  while (!(await isReady())) {
    const problem = child.hasExited()
      ? `ended at its start (${await child.exited})`
      : Date.now() > deadline
        ? `was not ready after ${limitMs / 1000} s`
        : undefined;
    if (problem !== undefined) {
      await child.stop(2_000);
      throw new Error(`${child.name} ${problem}.\n${await logTail(child.logFile)}`);
    }
    await sleep(25);
  }
}

/** The last lines of a log, indented, under the log's name. */
export async function logTail(file: string, lineCount = 12): Promise<string> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - 16_384);
    const { buffer } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const lines = buffer
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-lineCount);
    if (lines.length === 0) return `  (${file} is empty)`;
    return [`  the end of ${file}:`, ...lines.map((line) => `  | ${line}`)].join('\n');
  } finally {
    await handle.close();
  }
}
