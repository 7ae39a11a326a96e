/** The wish of a `Retry-After` header: a wait, or an instant in ms since the epoch. */
export type RetryAfter = { readonly waitMs: number } | { readonly untilMs: number };

const retryAfterMsMax = 3_600_000;

/**
 * The form of a date and two obsolete ones, which a recipient must accept (RFC 9110, 5.6.7). The
 * last one is UTC without saying so. `Date.parse` alone would read `5.5` as a day in May.
 */
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4}|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

const parseHttpDate = (text: string): number => {
  if (asctimeDate.test(text)) return Date.parse(`${text} GMT`);
  return httpDate.test(text) ? Date.parse(text) : Number.NaN;
};

/** Reads a `Retry-After` header; null when it is absent or malformed. */
export function readRetryAfter(value: string | string[] | undefined): RetryAfter | null {
  const text = (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
  if (/^\d+$/.test(text)) return { waitMs: Math.min(Number(text) * 1000, retryAfterMsMax) };
  const untilMs = parseHttpDate(text);
  return Number.isNaN(untilMs) ? null : { untilMs };
}

/**
 * The wait in ms from `nowMs` (since the epoch), at most an hour; 0 without a wish and for a date
 * in the past.
 */
export function retryAfterMs(wish: RetryAfter | null, nowMs: number): number {
  if (wish === null) return 0;
  const waitMs = 'waitMs' in wish ? wish.waitMs : wish.untilMs - nowMs;
  return Math.min(Math.max(waitMs, 0), retryAfterMsMax);
}
