import { setTimeout as sleep } from 'node:timers/promises';
import { logTail, type Child } from './child.ts';

const FAILURES_MAX = 4;
const WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 500;

/** What a supervisor tells. */
export type SupervisorHooks = {
  readonly say: (line: string) => void;
  /** A part keeps failing and is given up: the rest should stop. */
  readonly onGiveUp: (reason: string) => void;
};

/** A part of the gateway that is kept running. */
export type Supervised<T extends Child> = {
  /** The process as it was first started. */
  readonly first: T;
  stop(): Promise<void>;
};

/** Answers how long to wait after a failure; undefined after the last one that is forgiven. */
function createBackOff(): () => number | undefined {
  let failures: number[] = [];
  return () => {
    const now = Date.now();
    failures = [...failures.filter((at) => now - at < WINDOW_MS), now];
    return failures.length < FAILURES_MAX ? FIRST_DELAY_MS * 2 ** (failures.length - 1) : undefined;
  };
}

/**
 * Starts a process and keeps it running: one that dies is started anew after 0.5 s, 1 s, 2 s; the fourth failure within
 * a minute is the last. Throws if the first start fails: then there is nothing to keep.
 */
export async function supervise<T extends Child>(
  start: () => Promise<T>,
  { say, onGiveUp }: SupervisorHooks,
): Promise<Supervised<T>> {
  const first = await start();
  const stopping = new AbortController();
  const nextDelay = createBackOff();
  let current: T | undefined = first;

  const restart = async (reason: string): Promise<T | undefined> => {
    const delayMs = nextDelay();
    if (delayMs === undefined) {
      onGiveUp(
        `${reason}\n${first.name} failed ${FAILURES_MAX} times within a minute and is given up.`,
      );
      return undefined;
    }
    say(`! ${reason}\n  Starting ${first.name} again in ${delayMs / 1000} s.`);
    await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
    if (stopping.signal.aborted) return undefined;
    try {
      const next = await start();
      say(`✓ ${first.name} runs again.`);
      return next;
    } catch (error) {
      return restart(error instanceof Error ? error.message : String(error));
    }
  };
  const keep = async () => {
    while (current !== undefined) {
      const ending = await current.exited;
      if (stopping.signal.aborted) return;
      current = await restart(`${first.name} ended (${ending}).\n${await logTail(first.logFile)}`);
    }
  };
  return { first, stop: createStop(stopping, keep(), () => current) };
}

/** Stops what runs, and what a restart under way at that moment brings up. */
function createStop(
  stopping: AbortController,
  kept: Promise<void>,
  current: () => Child | undefined,
) {
  return async () => {
    stopping.abort();
    await current()?.stop();
    await kept;
    await current()?.stop();
  };
}
