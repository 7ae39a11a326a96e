/** Asked once for each delivery: returns whether it gets a run of its own. */
export type RunBudget = () => boolean;

/**
 * Allows up to `perSecond` runs in a burst, and none while more than `perSecond` are requested,
 * because runs of single deliveries are for light loads. 0 allows none. `nowMs` reads a monotonic
 * clock.
 */
export function createRunBudget(
  perSecond: number,
  nowMs: () => number = () => performance.now(),
): RunBudget {
  let available = perSecond;
  let refilledAt = nowMs();
  return () => {
    const now = nowMs();
    available = Math.min(perSecond, available + ((now - refilledAt) * perSecond) / 1000);
    refilledAt = now;
    const isAllowed = available >= 1;
    available = Math.max(-perSecond, available - 1);
    return isAllowed;
  };
}
