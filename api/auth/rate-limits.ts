import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export type RateVerdict = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
};

/** Counts a call of `key` in a one-minute window of this process; null if the limit is off. */
export type RateLimit = (key: string) => Promise<RateVerdict | null>;

/** A limit of `perMinute` calls for each key; 0 switches it off (D13). */
export function createRateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return () => Promise.resolve(null);
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (key) => {
    // The limiter rejects with a RateLimiterRes if the limit is exceeded.
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
