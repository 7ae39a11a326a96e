import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export type RateVerdict = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
};

/** Counts calls of a key in windows of a minute, in this process; null when the limit is off. */
export type RateLimit = (key: string) => Promise<RateVerdict | null>;

/** `perMinute` 0 switches the limit off (D13). */
export function createRateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return () => Promise.resolve(null);
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (key) => {
    // An exceeded limit is a rejection with the same kind of value.
    const result = await limiter.consume(key).catch((exceeded: unknown) => exceeded);
    if (!(result instanceof RateLimiterRes)) throw result;
    return {
      limit: perMinute,
      remaining: result.remainingPoints,
      resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
      isExceeded: result.consumedPoints > perMinute,
    };
  };
}
