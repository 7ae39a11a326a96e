import {
  endAdvance,
  holdClock,
  lockClock,
  readClock,
  releaseClock,
} from '../db/clock/clock-advances.ts';
import {
  countFailedStop,
  findNextMove,
  moveClock,
  retrySpanMs,
  type NextMove,
  type Stop,
} from '../db/clock/clock-moves.ts';
import { findDueWork, findTimedWork } from '../db/clock/due-work.ts';
import type { Queryable } from '../db/core/client.ts';
import { findReturn } from '../db/returns/return-requests.ts';
import { findDelivery } from '../db/webhooks/webhook-deliveries.ts';
import { dueStep, silenceOutcome } from '../domain/returns/return-request.ts';
import type { ClockStep } from '../workflows/clock/clock-advance-messages.ts';
import { createSettler, type ClockDependencies, type Settler } from './clock-settler.ts';
import { withHeartbeat } from './heartbeat.ts';

/** The failed stops of one advance: receivers that always fail need many. */
const retryStopsMax = 200;
/** How long one step makes stops. More in a step would show the progress of the run late. */
const stepMs = 3000;

export const createClockActivities = (dependencies: ClockDependencies) => {
  const newSettler = createSettler(dependencies);
  return {
    /**
     * Moves the vendor's clock to the next instants at which something is due, and waits at each
     * until it is done. If none is before the target, moves it there and ends the advance. A
     * repetition continues from the clock in the record.
     */
    advanceClock: ({ vendorId }: { readonly vendorId: string }): Promise<ClockStep> =>
      withHeartbeat(async (stopping) => {
        const settler = newSettler(vendorId, stopping);
        try {
          return await makeStops(dependencies, vendorId, settler);
        } finally {
          settler.close();
        }
      }),
  };
};
export type ClockActivities = ReturnType<typeof createClockActivities>;

async function makeStops(
  dependencies: ClockDependencies,
  vendorId: string,
  settler: Settler,
): Promise<ClockStep> {
  const { sql } = dependencies;
  const beganMs = performance.now();
  const lines: string[] = [];
  /** The instant by the vendor's clock at which nothing was under way. */
  let settledAt: Date | null = null;
  await holdClock(sql, vendorId);
  for (;;) {
    if (settledAt === null) {
      await settler.untilRestIsDone();
      ({ now: settledAt } = await readClock(sql, vendorId));
    }
    const move = await moveOn(dependencies, vendorId, settledAt);
    if (move === null) return { line: null, lines, isEnded: true };
    if (move === 'unsettled') {
      settledAt = null;
      continue;
    }
    const { found, line } = move;
    if (line !== null) lines.push(line);
    if (found.stop === null || isExhausted(found)) {
      const early = await endAt(dependencies, vendorId, found);
      return { line: null, lines: early === null ? lines : [...lines, early], isEnded: true };
    }
    if (found.stop.kind === 'return') await settler.untilReturnsAreDone();
    else {
      const { retryIds } = await findDueWork(sql, vendorId);
      await settler.untilRetriesAreDone();
      await countFailedStop(sql, vendorId, retryIds);
      settledAt = found.stop.at;
    }
    if (performance.now() - beganMs >= stepMs) return { line: null, lines, isEnded: false };
  }
}

type Move = { readonly found: NextMove; readonly line: string | null };

/** Makes the next move; null without one, `unsettled` if what is under way must end before it. */
const moveOn = (
  { sql }: ClockDependencies,
  vendorId: string,
  settledAt: Date,
): Promise<Move | null | 'unsettled'> =>
  sql.begin(async (transaction) => {
    await lockClock(transaction, vendorId);
    const found = await findNextMove(transaction, vendorId);
    if (found === null) return null;
    if (isExhausted(found)) return { found, line: null };
    const { stop } = found;
    const isFar = (stop?.at.getTime() ?? Infinity) - settledAt.getTime() > retrySpanMs;
    if (isFar && found.now > settledAt) return 'unsettled';
    const line = stop === null ? null : lineOf(found, await whatHappens(transaction, stop));
    await moveClock(transaction, vendorId, stop);
    return { found, line };
  });

/** Ends the advance at its target or, with a stop, before this stop; the line of an early end. */
async function endAt(
  { sql, runs }: ClockDependencies,
  vendorId: string,
  { stop, begunAt }: NextMove,
): Promise<string | null> {
  const line = stop === null ? null : await earlyEnd(sql, vendorId, stop);
  await releaseClock(sql, vendorId);
  // Their timers still have the instants of before.
  const { returnIds, retryIds } = await findTimedWork(sql, vendorId);
  await runs.refresh('returnInspection', returnIds);
  await runs.refresh('webhookDelivery', retryIds);
  const stopReason = stop === null ? null : 'FailingReceivers';
  await endAdvance(sql, vendorId, { begunAt, stopReason });
  return line;
}

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
  if (kind === 'retry') return 'failed deliveries were attempted again';
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
