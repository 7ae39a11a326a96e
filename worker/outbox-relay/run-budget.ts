/** Returns whether one more run may start now; each `true` uses up a run. */
export type RunBudget = () => boolean;

/**
 * Limits runs to `perSecond` on average and in a burst; 0 allows none. `nowMs` reads a monotonic
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
    if (available < 1) return false;
    available -= 1;
    return true;
  };
}
