import { execFile, spawn, type ExecFileOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Guard, GuardedProcess } from './guard.ts';

/** How to start, guard and end a process. */
export type ChildOptions = Omit<GuardedProcess, 'pid'> & {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Its output is appended to this file. */
  readonly logFile: string;
  readonly guard: Guard;
  /** The user and group to run it under, if not our own. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** Opens an IPC channel, whose end tells the child that the starter has ended. */
  readonly ipc?: boolean;
};

const STOP_GRACE_MS = 10_000;

/**
 * Starts a process in its own process group, so that Ctrl-C in the terminal reaches only the
 * starter, which ends the others in order. Rejects when the command cannot be run.
 */
export async function startChild({ name, signal, stage, guard, ...options }: ChildOptions) {
  const log = openSync(options.logFile, 'a', 0o600);
  const child = spawn(options.command, options.args, {
    detached: true,
    env: options.env,
    stdio: ['ignore', log, log, ...(options.ipc === true ? (['ipc'] as const) : [])],
    ...options.account,
  });
  closeSync(log);
  let ending: string | undefined;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, by) => resolve((ending = by ?? `exit code ${String(code)}`)));
    child.once('error', (error) => resolve((ending ??= error.message)));
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} could not be started: ${await exited}`);
  guard.watch({ pid, signal, stage });

  return {
    name,
    pid,
    logFile: options.logFile,
    process: child,
    /** Resolves to how the process ended: "exit code 1", "SIGKILL". */
    exited,
    hasExited: (): boolean => ending !== undefined,
    /** Sends the signal of its options, and SIGKILL after 10 s. */
    async stop(): Promise<void> {
      if (ending !== undefined) return;
      child.kill(signal);
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
      await exited;
      clearTimeout(force);
    },
  };
}

/** A running child process. */
export type Child = Readonly<Awaited<ReturnType<typeof startChild>>>;

/**
 * Waits until `isReady` holds. Rejects with the end of the log if the child exits or is too slow.
 */
export async function waitUntilReady(
  child: Child,
  isReady: () => Promise<boolean>,
  limitMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await isReady())) {
    if (child.hasExited() || Date.now() > deadline) {
      const problem = child.hasExited()
        ? `exited during its start (${await child.exited})`
        : `was not ready after ${limitMs / 1000} s`;
      await child.stop();
      throw new Error(`${child.name} ${problem}.\n${await readLogTail(child.logFile)}`);
    }
    await sleep(25);
  }
}

/** A line of a stack within a package or Node, before which the reason is. */
const foreignFrame = /^\s+at .*(?:node_modules|node:)/;

/** The last 20 lines of a log, without {@link foreignFrame}s, indented, below its name. */
export async function readLogTail(file: string): Promise<string> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const own = lines.filter((line) => line.trim() !== '' && !foreignFrame.test(line));
  const tail = own.slice(-20);
  return [`  the end of ${file}:`, ...tail.map((line) => `  | ${line}`)].join('\n');
}

/**
 * Runs a program to its end and resolves to its output; `onLine` gets its stderr. Rejects when it
 * fails.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  {
    guard,
    onLine,
    ...options
  }: ExecFileOptions & Pick<ChildOptions, 'guard'> & { onLine?: (line: string) => void },
): Promise<string> {
  const running = promisify(execFile)(command, args, { ...options, maxBuffer: 16 * 1024 * 1024 });
  const { pid, stderr } = running.child;
  if (pid !== undefined) guard.watch({ pid, signal: 'SIGINT', stage: 'app' });
  if (onLine !== undefined && stderr !== null)
    createInterface({ input: stderr }).on('line', onLine);
  return String((await running).stdout);
}
