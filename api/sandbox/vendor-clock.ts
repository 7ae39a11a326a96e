import { readClockMoves } from '../../db/clock/read-moves.ts';
import type { Queryable } from '../../db/core/client.ts';
import type { DeliveryAttempt } from '../../db/webhooks/attempts/attempt-list.ts';
import {
  byClockMs,
  dueByClockMs,
  firstRealMs,
  lastRealMs,
  type ClockMove,
} from '../../domain/clock/clock-moves.ts';
import type { Dependencies } from '../dependencies.ts';
import { BoundedMap } from '../bounded-map.ts';
import { apiError } from '../http/api-error.ts';

/** Between the instants that a vendor's API shows and takes, and those stored in real time. */
export type VendorClock = {
  /** The time by the clock; null: real time. */
  readonly now: Date | null;
  /** An instant that is stored in real time, by the clock. */
  readonly shown: (real: Date) => Date;
  /** When the next attempt after one is due, by the clock. */
  readonly due: (attempt: Pick<DeliveryAttempt, 'sentAt' | 'nextAttemptAt' | 'dueByClock'>) => Date;
  /**
   * In real time, when the clock had first reached an instant by it, and when it was last not after
   * it: all are RFC 3339 text.
   */
  readonly firstReal: (text: string) => string;
  readonly lastReal: (text: string) => string;
  /** Throws VALIDATION_INVALID_DATE for an instant ahead of the clock, which has no past yet. */
  readonly requirePast: (instants: Readonly<Record<string, string | null>>) => void;
};

/** Of Production, and of operators. */
export const realTime: VendorClock = {
  now: null,
  shown: (real) => real,
  due: ({ nextAttemptAt }) => nextAttemptAt,
  firstReal: (text) => text,
  lastReal: (text) => text,
  requirePast: () => {},
};

/** Change times may be ahead of the clock, each change a microsecond further than the last one. */
const toleranceMs = 1000;

/** An advance makes a thousand moves, and none changes but the last. */
const known = new BoundedMap<string, readonly ClockMove[]>(100);

async function readMoves(sql: Queryable, vendorId: string) {
  const before = known.get(vendorId) ?? [];
  const last = before.at(-1);
  // The first move may be of an unknown instant.
  const since = before.length > 1 && last !== undefined ? new Date(last.movedAtMs) : null;
  const { now, moves: latest } = await readClockMoves(sql, vendorId, since);
  const moves = since === null ? latest : [...before.slice(0, -1), ...latest];
  if (moves.length > 0) known.set(vendorId, moves);
  else known.delete(vendorId);
  return { now, moves };
}

/** The clock of a vendor, which only a sandbox moves. */
export async function readVendorClock(
  { environment, sql }: Pick<Dependencies, 'environment'> & { readonly sql: Queryable },
  vendorId: string,
): Promise<VendorClock> {
  if (environment !== 'Sandbox') return realTime;
  const { now, moves } = await readMoves(sql, vendorId);
  const shown = (real: Date) => new Date(byClockMs(moves, real.getTime()));
  return {
    now,
    shown,
    due: ({ sentAt, nextAttemptAt, dueByClock }) => {
      if (dueByClock !== null) return dueByClock;
      const sinceMs = (sentAt ?? nextAttemptAt).getTime();
      const dueMs = nextAttemptAt.getTime();
      // Equal for the last attempt of an event.
      return dueMs === sinceMs
        ? shown(nextAttemptAt)
        : new Date(dueByClockMs(moves, { sinceMs, dueMs }));
    },
    firstReal: (text) => new Date(firstRealMs(moves, Date.parse(text))).toISOString(),
    lastReal: (text) => new Date(lastRealMs(moves, Date.parse(text))).toISOString(),
    requirePast: (instants) => {
      for (const [parameter, received] of Object.entries(instants)) {
        if (received === null || Date.parse(received) <= now.getTime() + toleranceMs) continue;
        throw apiError('VALIDATION_INVALID_DATE', {
          parameter,
          expected:
            `an instant at or before ${now.toISOString()}, ` +
            'the time by your clock (X-Sandbox-Time)',
          received,
        });
      }
    },
  };
}
