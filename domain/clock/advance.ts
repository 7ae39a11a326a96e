import { fail, ok, type Result } from '../errors.ts';

const dayMs = 24 * 3_600_000;
/** The longest advance of one call. */
export const advanceMaxMs = 30 * dayMs;
/** How far a clock may be ahead of real time. */
export const offsetMaxMs = 365 * dayMs;

/** A vendor's clock: how far it is ahead of real time, and whether an advance is under way. */
export type ClockState = { readonly offsetMs: number; readonly isAdvancing: boolean };

/** The offset at the end of an advance. */
export function advanceOffset(
  { offsetMs, isAdvancing }: ClockState,
  advanceByMs: number,
): Result<number> {
  if (isAdvancing) return fail('BUSINESS_SANDBOX_CLOCK_ADVANCING');
  const leftMs = offsetMaxMs - offsetMs;
  return advanceByMs > leftMs
    ? fail('BUSINESS_SANDBOX_CLOCK_LIMIT', { left: durationText(leftMs) })
    : ok(offsetMs + advanceByMs);
}

const durationPattern =
  /^P(?:(\d{1,9})W|(?=[\dT])(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?)$/;

/**
 * The milliseconds of an ISO 8601 duration in whole weeks, or in days, hours, minutes and seconds.
 * Null for any other text: the length of a month or a year is not fixed.
 */
export function durationMs(text: string): number | null {
  const found = durationPattern.exec(text);
  if (found === null) return null;
  const [weeks, days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0));
  const units = [
    [weeks, 7 * dayMs],
    [days, dayMs],
    [hours, 3_600_000],
    [minutes, 60_000],
    [seconds, 1000],
  ] as const;
  return units.reduce((total, [count = 0, unitMs]) => total + count * unitMs, 0);
}

/** The ISO 8601 duration of whole seconds, rounded down. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const time = [
    [Math.floor(seconds / 3600) % 24, 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const;
  const days = Math.floor(seconds / 86_400);
  const timeText = time
    .flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`]))
    .join('');
  if (days === 0 && timeText === '') return 'PT0S';
  return `P${days === 0 ? '' : `${days}D`}${timeText === '' ? '' : `T${timeText}`}`;
}
