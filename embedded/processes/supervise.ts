import { setTimeout as sleep } from 'node:timers/promises';
import { readLogTail, type Child } from './child-process.ts';

const FAILURES_MAX = 4;
const WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 500;

/** What a supervisor reports to, and when it ends. */
export type SupervisorOptions = {
  readonly log: (line: string) => void;
  /** Aborted before the processes are ended on purpose. */
  readonly signal: AbortSignal;
  /** Called when a process fails too often: the others must stop too. */
  readonly onGiveUp: (error: unknown) => void;
};

const describeExit = async (child: Child): Promise<string> =>
  `${child.name} ended (${await child.exited}).\n${await readLogTail(child.logFile)}`;

/**
 * Starts a process and restarts it after 0.5 s, 1 s and 2 s when it exits. Gives up at the fourth
 * failure within a minute. Resolves to the first process; rejects if the first start fails.
 */
export async function supervise<T extends Child>(
  start: () => Promise<T>,
  options: SupervisorOptions,
): Promise<T> {
  const first = await start();
  keepAlive(first, start, options).catch(options.onGiveUp);
  return first;
}

async function keepAlive<T extends Child>(
  first: T,
  start: () => Promise<T>,
  { log, signal }: SupervisorOptions,
): Promise<void> {
  let failures: number[] = [];
  let problem = await describeExit(first);
  while (!signal.aborted) {
    failures = [...failures.filter((at) => Date.now() - at < WINDOW_MS), Date.now()];
    if (failures.length === FAILURES_MAX) {
      throw new Error(`${problem}\n${first.name} failed ${FAILURES_MAX} times within a minute.`);
    }
    const delayMs = FIRST_DELAY_MS * 2 ** (failures.length - 1);
    log(`! ${problem}\n  Starting ${first.name} again in ${delayMs / 1000} s.`);
    await sleep(delayMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      const next = await start();
      log(`✓ ${first.name} runs again.`);
      problem = await describeExit(next);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
}
