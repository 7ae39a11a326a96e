/** Each wait is jittered by a fifth either way, so that what failed together does not come back together. */
const jitter = 0.2;

/** The wait before the attempt after this one, jittered; null after the last. `random` is from 0 to 1. */
export function jitteredDelayMs(delayMs: number | undefined, random: number): number | null {
  return delayMs === undefined ? null : Math.round(delayMs * (1 - jitter + random * 2 * jitter));
}
