/** Deliveries in one batch at most. */
export const batchSizeMax = 500;

/** Single runs: a burst, and a refill a second. Each costs some 50 ms of processor time. */
const singleMax = 3;
const singlePerSecond = 25;
/** A batch gathers this long per delivery of the one before, so that it is worth its run. */
const gatherMsEach = 10;
const gatherMsMax = 250;

/**
 * Whether waiting deliveries get single runs, share a batch, or wait for more to share one with.
 */
export type BatchPolicy = {
  readonly next: (waiting: number, nowMs: number) => 'single' | 'batch' | 'wait';
  /** Records what was done, and for how many deliveries. */
  readonly record: (action: 'single' | 'batch', deliveries: number, nowMs: number) => void;
  /** After `wait`: the time until the next decision, in ms. */
  readonly waitMs: (nowMs: number) => number;
};

/**
 * Works like a group commit: a lone delivery starts at once in a run of its own, and the more
 * arrive, the more share a batch. Times are in ms of a monotonic clock.
 */
export function createBatchPolicy(): BatchPolicy {
  let singleTokens = singleMax;
  let refilledAt = 0;
  let gatheredAt = 0;
  const refill = (nowMs: number): void => {
    const refilled = singleTokens + ((nowMs - refilledAt) * singlePerSecond) / 1000;
    singleTokens = Math.min(singleMax, refilled);
    refilledAt = nowMs;
  };
  return {
    next: (waiting, nowMs) => {
      refill(nowMs);
      if (waiting <= singleTokens) return 'single';
      if (waiting >= batchSizeMax) return 'batch';
      return waiting > 1 && nowMs >= gatheredAt ? 'batch' : 'wait';
    },
    record: (action, deliveries, nowMs) => {
      if (action === 'single') singleTokens -= deliveries;
      else {
        // The deliveries that a full batch left over do not wait again.
        const isFull = deliveries >= batchSizeMax;
        gatheredAt = nowMs + (isFull ? 0 : Math.min(gatherMsMax, deliveries * gatherMsEach));
      }
    },
    waitMs: (nowMs) => {
      const untilTokenMs = Math.max(0, (1 - singleTokens) * (1000 / singlePerSecond));
      const untilGatheredMs = Math.min(gatheredAt - nowMs, gatherMsMax);
      return Math.max(1, Math.ceil(nowMs < gatheredAt ? untilGatheredMs : untilTokenMs));
    },
  };
}
