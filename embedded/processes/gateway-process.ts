import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import {
  readLogTail,
  startChild,
  waitUntilReady,
  type Child,
  type ChildOptions,
} from './child-process.ts';

/** Runs a TypeScript file, and gives the compiler none of its secrets. */
const runTypescript = fileURLToPath(new URL('./run-typescript.mjs', import.meta.url));
/**
 * Options of V8, as in all other commands that start the two. The heap may grow by a half of what
 * is alive before V8 collects it, instead of up to four times. Without the memory reducer, V8 does
 * not collect a small heap again and again under light load. The worker collects its garbage once
 * after its start, and has a smaller young generation.
 */
const heapOptions = ['--heap-growing-percent=50', '--no-memory-reducer'];
export const v8Options: Readonly<Record<string, readonly string[]>> = {
  'api/server.ts': heapOptions,
  'worker/main.ts': [...heapOptions, '--max-semi-space-size=8', '--expose-gc'],
};
const readyMessage = v.object({ type: v.literal('ready'), url: v.string() });
/** A process that is watched sends it if it does not start, and before it ends with an error. */
const failedMessage = v.object({ type: v.literal('failed') });
/** Node prints an error after it has reported its end to the process. */
const printMs = 500;

/**
 * The threads that V8 collects garbage and compiles with, beside the main thread. Its default of
 * four takes every core of a small machine, and the calls in progress wait.
 */
const helperThreads = Math.min(4, Math.max(1, availableParallelism() - 1));

/** The API or the worker as a child process; `file` is its main file, relative to the project. */
export type GatewayProcessOptions = Pick<ChildOptions, 'name' | 'env' | 'logFile' | 'guard'> & {
  readonly file: string;
  /** Restarts the process when its files change; absent: none restarts it. */
  readonly watcher?: Watcher | undefined;
};

type Watcher = {
  /** Gets the URL of the process after each restart for changed files. */
  readonly onRestart: (url: string) => void;
  /** Gets the end of the log of a process that failed; the next change of its files starts it. */
  readonly onFailure: (logTail: string) => void;
};

/** Starts the API or the worker and waits for its `{ type: 'ready', url }`. */
export async function startGatewayProcess({
  file,
  env,
  watcher,
  ...options
}: GatewayProcessOptions): Promise<Child & { readonly url: string }> {
  const main = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  const child = await startChild({
    ...options,
    // glibc otherwise gives each of some thirty threads memory that the others cannot use.
    env: { MALLOC_ARENA_MAX: '2', ...env },
    command: process.execPath,
    args: [
      ...(watcher === undefined ? [] : ['--watch', '--watch-preserve-output']),
      `--v8-pool-size=${helperThreads}`,
      ...(v8Options[file] ?? []),
      '--enable-source-maps',
      runTypescript,
      main,
    ],
    ipc: true,
    signal: 'SIGTERM',
    stage: file === 'api/server.ts' ? 'api' : 'app',
  });
  let url: string | undefined;
  child.process.on('message', (message) => {
    if (v.is(failedMessage, message)) void onFailure();
    if (!v.is(readyMessage, message)) return;
    if (url !== undefined) watcher?.onRestart(message.url);
    url = message.url;
  });
  async function onFailure(): Promise<void> {
    await sleep(printMs);
    // A start does not wait for a change of files. SIGTERM may not end the watcher.
    if (url === undefined) child.process.kill('SIGKILL');
    else watcher?.onFailure(await readLogTail(child.logFile));
  }
  await waitUntilReady(child, () => Promise.resolve(url !== undefined));
  return { ...child, url: url ?? '' };
}
