const retryAfterMsMax = 3_600_000;

/** The date format of RFC 9110, 5.6.7; `Date.parse` alone would read `5.5` as a day in May. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The wait of a `Retry-After` header in ms, at most an hour; 0 for a date in the past; null when it
 * is absent or malformed. `nowMs` is the time since the epoch.
 */
export function retryAfterMs(value: string | string[] | undefined, nowMs: number): number | null {
  const text = (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
  const waitMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : httpDate.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), retryAfterMsMax);
}
