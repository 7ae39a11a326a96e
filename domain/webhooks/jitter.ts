/** A fifth either way, so that deliveries that fail together do not retry together. */
const jitter = 0.2;

/** The jittered wait before the next attempt; null after the last. `random` is from 0 to 1. */
export function jitteredDelayMs(delayMs: number | undefined, random: number): number | null {
  return delayMs === undefined ? null : Math.round(delayMs * (1 - jitter + random * 2 * jitter));
}
