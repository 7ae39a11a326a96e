/** Deliveries in one dispatch at most. */
export const batchSizeMax = 500;

/** Runs that may start for a delivery alone: so many at once, and so many a second. Each costs some 50 ms of processor time. */
const aloneMax = 3;
const alonePerSecond = 25;
/** After a dispatch, for each of its deliveries, the next one gathers so long, so that it is worth its run. */
const gatherMsEach = 10;
const gatherMsMax = 250;

/** Whether deliveries that wait get runs of their own, share one, or gather a little longer. */
export type BatchPolicy = {
  readonly next: (waiting: number, nowMs: number) => 'alone' | 'together' | 'later';
  /** That was done for so many deliveries. */
  readonly did: (what: 'alone' | 'together', deliveries: number, nowMs: number) => void;
  /** After `later`: when to look again, in ms. */
  readonly waitMs: (nowMs: number) => number;
};

/**
 * As a group commit does: a lone delivery goes at once in a run of its own, and the more come, the more share one. Times are of any
 * clock that only goes forward, in ms.
 */
export function createBatchPolicy(): BatchPolicy {
  let alone = aloneMax;
  let filledAt = 0;
  let gatheredAt = 0;
  const fill = (nowMs: number): void => {
    alone = Math.min(aloneMax, alone + ((nowMs - filledAt) * alonePerSecond) / 1000);
    filledAt = nowMs;
  };
  return {
    next: (waiting, nowMs) => {
      fill(nowMs);
      if (waiting <= alone) return 'alone';
      if (waiting >= batchSizeMax) return 'together';
      return waiting > 1 && nowMs >= gatheredAt ? 'together' : 'later';
    },
    did: (what, deliveries, nowMs) => {
      if (what === 'alone') alone -= deliveries;
      // What a full one left over has gathered long enough.
      else
        gatheredAt =
          deliveries >= batchSizeMax
            ? nowMs
            : nowMs + Math.min(gatherMsMax, deliveries * gatherMsEach);
    },
    waitMs: (nowMs) => {
      const untilOneMs = Math.max(0, (1 - alone) * (1000 / alonePerSecond));
      return Math.max(
        1,
        Math.ceil(nowMs < gatheredAt ? Math.min(gatheredAt - nowMs, gatherMsMax) : untilOneMs),
      );
    },
  };
}
