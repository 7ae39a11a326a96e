import { setTimeout as delay } from 'node:timers/promises';
import {
  endAdvance,
  findDueWork,
  findNextMove,
  findTimedWork,
  lockClock,
  moveClock,
  readClock,
  type DueWork,
  type NextMove,
  type Stop,
} from '../db/clock/clock-advances.ts';
import type { Queryable, Sql } from '../db/core/client.ts';
import { findReturn } from '../db/returns/return-requests.ts';
import { findDelivery } from '../db/webhooks/webhook-deliveries.ts';
import { dueStep, silenceOutcome } from '../domain/returns/return-request.ts';
import type { ClockStep } from '../workflows/clock/clock-advance-messages.ts';
import { withHeartbeat } from './heartbeat.ts';

export type ClockActivities = {
  /**
   * Moves the vendor's clock to the next instant at which something is due, and waits until it is
   * done. If none is before the target, moves it there and ends the advance. A repetition continues
   * from the clock in the record.
   */
  readonly advanceClock: (input: { readonly vendorId: string }) => Promise<ClockStep>;
};

/** Makes runs read the record, as `Runs` of `temporal` does. */
type Refresh = (
  kind: 'returnInspection' | 'webhookDelivery',
  subjectIds: readonly string[],
) => Promise<void>;

export type ClockDependencies = {
  readonly sql: Sql;
  readonly runs: { readonly refresh: Refresh };
};

/** The stops of one advance that only make retries: receivers that always fail need many. */
const retryStopsMax = 200;

export const createClockActivities = ({ sql, runs }: ClockDependencies): ClockActivities => ({
  advanceClock: ({ vendorId }) =>
    withHeartbeat(async (stopping) => {
      const settle = () => untilNothingIsDue({ sql, runs }, vendorId, stopping);
      await settle();
      const moved = await sql.begin(async (transaction) => {
        await lockClock(transaction, vendorId);
        const found = await findNextMove(transaction, vendorId);
        if (found === null || isExhausted(found)) return { found, line: null };
        const line =
          found.stop === null ? null : lineOf(found, await whatHappens(transaction, found.stop));
        await moveClock(transaction, vendorId, found);
        return { found, line };
      });
      const { found, line } = moved;
      if (found === null) return { line: null, isEnded: true };
      await settle();
      if (found.stop !== null && !isExhausted(found)) return { line, isEnded: false };
      // Their timers still have the instants of before.
      const { returnIds, retryIds } = await findTimedWork(sql, vendorId);
      await runs.refresh('returnInspection', returnIds);
      await runs.refresh('webhookDelivery', retryIds);
      await endAdvance(sql, vendorId, found.stop === null ? null : 'FailingReceivers');
      return {
        line: found.stop === null ? line : await earlyEnd(sql, vendorId, found.stop),
        isEnded: true,
      };
    }),
});

const isExhausted = ({ stop, retryStops }: NextMove): boolean =>
  stop?.kind === 'retry' && retryStops >= retryStopsMax;

const minuteOf = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ');

/** For people who read the Temporal UI. */
const lineOf = ({ stop, stops, left }: NextMove, what: string): string =>
  `At ${stop === null ? '' : minuteOf(stop.at)} ${what}; ${stops + 1} of ${stops + left}.`;

/** The line of an advance that ends before its target. */
async function earlyEnd(sql: Queryable, vendorId: string, { subjectId }: Stop): Promise<string> {
  const { now } = await readClock(sql, vendorId);
  const delivery = await findDelivery(sql, subjectId);
  return (
    `At ${minuteOf(now)} the clock stopped early: ` +
    `the receiver of the subscription ${delivery?.subscriptionId ?? '(deleted)'} keeps failing.`
  );
}

async function whatHappens(sql: Queryable, { kind, subjectId }: Stop): Promise<string> {
  if (kind === 'retry') return 'a failed delivery was attempted again';
  const request = await findReturn(sql, subjectId);
  const due = request === null ? null : dueStep(request);
  if (request === null || due === null) return 'a return changed';
  const { number } = request;
  if (due.step === 'startInspection') return `the inspection of ${number} started`;
  if (due.step === 'announceClosing') return `the end of the window of ${number} was announced`;
  return silenceOutcome(request) === null
    ? `the window of ${number} ended, and staff must decide`
    : `silence decided ${number}`;
}

const pollMs = { first: 20, max: 200 } as const;
/**
 * The wait before the second signal to a run, which may have started after the first one. Each
 * further wait is twice as long: a run that reads the record at each signal must get to its attempt.
 */
const repeatMs = 2000;

/**
 * Tells the runs of what is due by the vendor's clock, and waits until everything is done: due
 * steps of returns, retries, first attempts of deliveries, and messages.
 */
async function untilNothingIsDue(
  { sql, runs }: ClockDependencies,
  vendorId: string,
  stopping: AbortSignal,
): Promise<void> {
  const signals = new Map<string, { readonly nextMs: number; readonly waitMs: number }>();
  const refresh = async (kind: Parameters<Refresh>[0], ids: readonly string[]): Promise<void> => {
    const now = performance.now();
    const due = ids.filter((id) => now >= (signals.get(id)?.nextMs ?? now));
    for (const id of due) {
      const waitMs = 2 * (signals.get(id)?.waitMs ?? repeatMs / 2);
      signals.set(id, { nextMs: now + waitMs, waitMs });
    }
    await runs.refresh(kind, due);
  };
  for (let waitMs: number = pollMs.first; ; waitMs = Math.min(waitMs * 1.5, pollMs.max)) {
    stopping.throwIfAborted();
    const work = await findDueWork(sql, vendorId);
    if (isDone(work)) return;
    await refresh('returnInspection', work.returnIds);
    await refresh('webhookDelivery', work.retryIds);
    await delay(waitMs, undefined, { signal: stopping });
  }
}

const isDone = ({ returnIds, retryIds, isRestDone }: DueWork): boolean =>
  returnIds.length === 0 && retryIds.length === 0 && isRestDone;
