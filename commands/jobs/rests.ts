import { setTimeout as delay } from 'node:timers/promises';

/** Waits in proportion to the work since the last rest. Ends early when the signal aborts. */
export type Rest = (signal?: AbortSignal) => Promise<void>;

/**
 * Creates the rests of a bulk work, which give other calls the processors. The work takes `percent`
 * of the time, or more if a rest would be longer than `maxMs`. On a busy machine the same work takes
 * longer, and so do its rests.
 */
export function createRests(percent: number, maxMs: number): Rest {
  let begunAt = performance.now();
  return async (signal) => {
    const workMs = performance.now() - begunAt;
    const restMs = Math.min(workMs * (100 / percent - 1), maxMs);
    const options = signal === undefined ? {} : { signal };
    if (restMs > 0) await delay(restMs, undefined, options).catch(() => undefined);
    begunAt = performance.now();
  };
}
