import type { Check } from './check-parts.ts';

const tickMs = 200;
/** A pause of the event loop that counts as blocked. */
const blockedMs = 1000;
/** A pause is reported for this long, so that the response to a waiting check names it. */
const reportedMs = 3000;

/**
 * Watches the event loop. The check is `blocked` during and shortly after a pause of a second, for
 * example of a frozen process, which afterwards answers the requests that waited.
 */
export function startLoopWatch(): Check {
  let tickedAt = performance.now();
  let reportedUntil = 0;
  const notice = (): void => {
    const now = performance.now();
    if (now - tickedAt > tickMs + blockedMs) reportedUntil = now + reportedMs;
    tickedAt = now;
  };
  setInterval(notice, tickMs).unref();
  return () => {
    // After a pause, the request can come before the tick.
    notice();
    return performance.now() < reportedUntil ? 'blocked' : 'ok';
  };
}
