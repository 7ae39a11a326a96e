import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export type RateVerdict = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
};

/**
 * Counts `points`, by default one call, of `key` in a one-minute window of this process; null if
 * the limit is off. More points than are left count nothing, so that fewer may still pass.
 */
export type RateLimit = (key: string, points?: number) => Promise<RateVerdict | null>;

/** A limit of `perMinute` calls for each key; 0 switches it off (D13). */
export function createRateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return () => Promise.resolve(null);
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (key, points = 1) => {
    // The limiter rejects with a RateLimiterRes if the limit is exceeded.
    const result = await limiter.consume(key, points).catch((exceeded: unknown) => exceeded);
    if (!(result instanceof RateLimiterRes)) throw result;
    const isExceeded = result.consumedPoints > perMinute;
    const counted = isExceeded ? await limiter.reward(key, points) : result;
    return {
      limit: perMinute,
      remaining: Math.max(0, counted.remainingPoints),
      resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
      isExceeded,
    };
  };
}
