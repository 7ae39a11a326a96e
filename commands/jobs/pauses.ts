import { setTimeout as delay } from 'node:timers/promises';

/** Waits in proportion to the work since the last pause. Ends early when the signal aborts. */
export type Pause = (signal?: AbortSignal) => Promise<void>;

/**
 * Creates the pauses of bulk work, in which other calls have the processors. The work takes
 * `percent` of the time, or more if a pause would be longer than `maxMs`. On a busy machine the
 * same work takes longer, and so do its pauses.
 */
export function createPauses(percent: number, maxMs: number): Pause {
  let begunAt = performance.now();
  return async (signal) => {
    const workMs = performance.now() - begunAt;
    const pauseMs = Math.min(workMs * (100 / percent - 1), maxMs);
    const options = signal === undefined ? {} : { signal };
    if (pauseMs > 0) await delay(pauseMs, undefined, options).catch(() => undefined);
    begunAt = performance.now();
  };
}
