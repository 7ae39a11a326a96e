import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedContext } from './context.ts';
import { readLogTail, type Child } from './processes/child-process.ts';

const FAILURES_MAX = 4;
const WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 500;

/**
 * Starts a process and restarts it after 0.5 s, 1 s and 2 s when it exits. At the fourth failure
 * within a minute everything stops. Resolves to the first process; rejects if its start fails.
 */
export async function startSupervised<T extends Child>(
  context: EmbeddedContext,
  start: () => Promise<T>,
): Promise<T> {
  const first = await start();
  restartOnExit(context, first, start).catch(context.fail);
  return first;
}

const describeExit = async (child: Child): Promise<string> =>
  `${child.name} ended (${await child.exited}).\n${await readLogTail(child.logFile)}`;

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
