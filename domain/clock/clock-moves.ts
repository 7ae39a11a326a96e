export type ClockMove = {
  readonly movedAtMs: number;
  /** How far the clock is ahead of real time from then on, or will be once it runs again. */
  readonly offsetMs: number;
  /** Where it stands from then on; null: it runs. */
  readonly standsAtMs: number | null;
};

const unmoved: ClockMove = { movedAtMs: -Infinity, offsetMs: 0, standsAtMs: null };

const moveBefore = (moves: readonly ClockMove[], realMs: number): ClockMove =>
  moves.findLast(({ movedAtMs }) => movedAtMs <= realMs) ?? unmoved;

/** The instant by a vendor's clock of one in real time. The moves are in their order. */
export function byClockMs(moves: readonly ClockMove[], realMs: number): number {
  const { offsetMs, standsAtMs } = moveBefore(moves, realMs);
  return standsAtMs ?? realMs + offsetMs;
}

/**
 * When something is due by a vendor's clock that at an instant in real time, `sinceMs`, was to come
 * at another one, `dueMs`, unless the clock has moved since.
 */
export const dueByClockMs = (
  moves: readonly ClockMove[],
  { sinceMs, dueMs }: Readonly<Record<'sinceMs' | 'dueMs', number>>,
): number => dueMs + moveBefore(moves, sinceMs).offsetMs;

/** The first instant in real time at which a vendor's clock has reached an instant by it. */
export function firstRealMs(moves: readonly ClockMove[], clockMs: number): number {
  const all = [unmoved, ...moves];
  for (const [index, { movedAtMs, offsetMs, standsAtMs }] of all.entries()) {
    const reachedMs = Math.max(movedAtMs, clockMs - offsetMs);
    const isReached =
      standsAtMs === null
        ? reachedMs < (all[index + 1]?.movedAtMs ?? Infinity)
        : standsAtMs >= clockMs;
    if (isReached) return standsAtMs === null ? reachedMs : movedAtMs;
  }
  return clockMs;
}

/** The last instant in real time at which a vendor's clock was not after an instant by it. */
export function lastRealMs(moves: readonly ClockMove[], clockMs: number): number {
  const all = [unmoved, ...moves];
  const index = all.findLastIndex(
    ({ movedAtMs, offsetMs, standsAtMs }) => (standsAtMs ?? movedAtMs + offsetMs) <= clockMs,
  );
  const { offsetMs, standsAtMs } = all[index] ?? unmoved;
  const endMs = (all[index + 1]?.movedAtMs ?? Infinity) - 1;
  if (standsAtMs === null) return Math.min(clockMs - offsetMs, endMs);
  // Where it stands now, everything so far is before.
  return endMs === Infinity ? clockMs : endMs;
}
