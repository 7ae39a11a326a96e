import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  byClockMs,
  firstRealMs,
  lastRealMs,
  type ClockMove,
} from '../../../domain/clock/clock-moves.ts';

const instants = fc.nat(1_000_000);
const steps = fc.record({
  afterMs: fc.integer({ min: 1, max: 1000 }),
  byMs: fc.nat(1000),
  stands: fc.boolean(),
});

/** The moves of a clock that goes forward with each step, where it runs or stands. */
const moves = fc.array(steps).map((made) => {
  const before: ClockMove = { movedAtMs: 500, offsetMs: 0, standsAtMs: null };
  return made.reduce<readonly ClockMove[]>((all, { afterMs, byMs, stands }) => {
    const last = all.at(-1) ?? before;
    const movedAtMs = last.movedAtMs + afterMs;
    const atMs = byClockMs(all, movedAtMs) + byMs;
    const offsetMs = Math.max(last.offsetMs, atMs - movedAtMs);
    return [...all, { movedAtMs, offsetMs, standsAtMs: stands ? atMs : null }];
  }, []);
});

test('a clock that never moved shows real time', () => {
  expect([byClockMs([], 7), firstRealMs([], 7), lastRealMs([], 7)]).toEqual([7, 7, 7]);
});

test('an instant by a clock is never before one that came earlier', () => {
  fc.assert(
    fc.property(moves, instants, instants, (made, one, other) => {
      const [earlier, later] = [Math.min(one, other), Math.max(one, other)];
      expect(byClockMs(made, earlier)).toBeLessThanOrEqual(byClockMs(made, later));
    }),
  );
});

test('gives the first and the last instant in real time of one by a clock', () => {
  fc.assert(
    fc.property(moves, instants, (made, realMs) => {
      const clockMs = byClockMs(made, realMs);
      const [first, last] = [firstRealMs(made, clockMs), lastRealMs(made, clockMs)];
      expect(byClockMs(made, first)).toBe(clockMs);
      expect(byClockMs(made, first - 1)).toBeLessThan(clockMs);
      expect(first).toBeLessThanOrEqual(realMs);
      // Where it stands now, everything so far is before.
      if (made.at(-1)?.standsAtMs === clockMs) return;
      expect(last).toBeGreaterThanOrEqual(realMs);
      expect(byClockMs(made, last)).toBe(clockMs);
      expect(byClockMs(made, last + 1)).toBeGreaterThan(clockMs);
    }),
  );
});

test('gives for an instant that a move has skipped the move, and the instant before', () => {
  const made = [{ movedAtMs: 100, offsetMs: 50, standsAtMs: null }];
  expect([firstRealMs(made, 120), lastRealMs(made, 120)]).toEqual([100, 99]);
});

test('gives for a clock that stood the last instant at which it stood, however long', () => {
  const made = [
    { movedAtMs: 501, offsetMs: 0, standsAtMs: 501 },
    { movedAtMs: 503, offsetMs: 0, standsAtMs: null },
  ];
  expect([firstRealMs(made, 501), lastRealMs(made, 501), lastRealMs(made, 503)]).toEqual([
    501, 502, 503,
  ]);
});
