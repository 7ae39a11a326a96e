export type RateVerdict = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
};

/**
 * Counts `points`, by default one call, of `key` in a window of this process; null if the limit is
 * off. More points than are left count nothing, so that fewer may still pass.
 */
export type RateLimit = (key: string, points?: number) => RateVerdict | null;

/** A window begins with a key's first call after the last window. */
type Window = { points: number; readonly endsAtMs: number };

/** A limit of `max` calls in a minute, or another window, for each key; 0: off. */
export function createRateLimit(max: number, windowMs = 60_000): RateLimit {
  if (max === 0) return () => null;
  const windows = new Map<string, Window>();
  const begin = (key: string, nowMs: number): Window => {
    const window = { points: 0, endsAtMs: nowMs + windowMs };
    windows.set(key, window);
    setTimeout(() => {
      if (windows.get(key) === window) windows.delete(key);
    }, windowMs).unref();
    return window;
  };
  return (key, points = 1) => {
    // Of the process, not of the machine's clock, which may be set. Whole, so that sums are exact.
    const nowMs = Math.trunc(performance.now());
    const latest = windows.get(key);
    const window = latest === undefined || latest.endsAtMs <= nowMs ? begin(key, nowMs) : latest;
    const isExceeded = window.points + points > max;
    if (!isExceeded) window.points += points;
    return {
      limit: max,
      remaining: max - window.points,
      resetSeconds: Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000)),
      isExceeded,
    };
  };
}
