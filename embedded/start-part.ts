import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../process/config.ts';
import { readLogTail, type Child } from './processes/child-process.ts';
import type { Guard } from './processes/guard.ts';
import type { StateDir } from './state/state-dir.ts';

/** What each part of an embedded start works with. */
export type EmbeddedContext = {
  readonly config: Config;
  readonly stateDir: StateDir;
  readonly guard: Guard;
  readonly log: (line: string) => void;
  /** Whether the API and the worker restart when their files change. */
  readonly isWatched: boolean;
  /** Aborted when everything stops. */
  readonly signal: AbortSignal;
  /** Reports an error and stops everything. */
  readonly fail: (error: unknown) => void;
};

const CONFLICTS_MAX = 3;
const FAILURES_MAX = 4;
const WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 500;

/** Runs a step of the start and logs its result with the time that it took. */
export async function runStep<T>(
  { log }: EmbeddedContext,
  describe: (result: T) => string,
  step: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const result = await step();
  log(`✓ ${describe(result)} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  return result;
}

/**
 * Starts a process and keeps it running. `prepare` chooses its ports and returns the function that
 * starts it; it is called again if another program takes a port before the process listens.
 */
export const startPart = <T extends Child>(
  context: EmbeddedContext,
  describe: (child: T) => string,
  prepare: () => Promise<() => Promise<T>>,
): Promise<T> =>
  runStep(context, describe, async () => {
    for (let attempt = 1; ; attempt += 1) {
      const start = await prepare();
      try {
        const child = await start();
        restartOnExit(context, child, start).catch(context.fail);
        return child;
      } catch (error) {
        if (attempt === CONFLICTS_MAX || !isPortConflict(error)) throw error;
      }
    }
  });

const isPortConflict = (error: unknown): boolean =>
  error instanceof Error && /EADDRINUSE|address already in use/i.test(error.message);

const describeExit = async (child: Child): Promise<string> =>
  `${child.name} ended (${await child.exited}).\n${await readLogTail(child.logFile)}`;

/**
 * Restarts a process after 0.5 s, 1 s and 2 s when it exits. Rejects at the fourth failure within a
 * minute.
 */
async function restartOnExit(
  { log, signal }: EmbeddedContext,
  first: Child,
  start: () => Promise<Child>,
): Promise<void> {
  const { name } = first;
  let failures: number[] = [];
  for (let problem = await describeExit(first); !signal.aborted;) {
    failures = [...failures.filter((at) => Date.now() - at < WINDOW_MS), Date.now()];
    if (failures.length === FAILURES_MAX) {
      throw new Error(`${problem}\n${name} failed ${FAILURES_MAX} times within a minute.`);
    }
    const delayMs = FIRST_DELAY_MS * 2 ** (failures.length - 1);
    log(`! ${problem}\n  Starting ${name} again in ${delayMs / 1000} s.`);
    await sleep(delayMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      const next = await start();
      log(`✓ ${name} runs again.`);
      problem = await describeExit(next);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
}
