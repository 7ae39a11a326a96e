const retryAfterMsMax = 3_600_000;

/** The only form of date that may be sent (RFC 9110, 5.6.7); `Date.parse` alone would take `5.5` for a day in May. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * How long a `Retry-After` header asks to wait, in ms, at most an hour; null if it is absent or makes no sense. `nowMs`
 * is the time since the epoch. A date in the past is 0.
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
