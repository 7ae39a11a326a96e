import { setTimeout as delay } from 'node:timers/promises';
import { findDueWork, type DueWork } from '../db/clock/due-work.ts';
import type { Sql } from '../db/core/client.ts';

/** Makes runs read the record, as `Runs` of `temporal` does. */
type Refresh = (
  kind: 'returnInspection' | 'webhookDelivery',
  subjectIds: readonly string[],
) => Promise<void>;

export type ClockDependencies = {
  readonly sql: Sql;
  readonly runs: { readonly refresh: Refresh };
};

const pollMs = { first: 8, max: 100 } as const;
/**
 * The wait before the second signal to a run, which may have started after the first one. Each
 * further wait is twice as long: a run that reads the record at each signal must get to its
 * attempt.
 */
const repeatMs = 2000;
/**
 * The retries that all advances of a worker make at a time. More would wait in the queue of the
 * worker, and every other run behind them.
 */
const retriesMax = 24;

/**
 * Creates a function that creates, for one step of a vendor's advance, what signals the runs of due
 * work and waits until it is done. Each wait ends early when a reset ends the advance.
 */
export function createSettler({ sql, runs }: ClockDependencies) {
  let steps = 0;
  return (vendorId: string, stopping: AbortSignal) => {
    steps += 1;
    const until = async (isDone: (work: DueWork) => boolean, withRetries: boolean) => {
      const refresh = createRefresh(runs.refresh);
      for (let waitMs: number = pollMs.first; ; waitMs = Math.min(waitMs * 1.5, pollMs.max)) {
        stopping.throwIfAborted();
        const work = await findDueWork(sql, vendorId);
        if (!work.isOpen || isDone(work)) return;
        const { returnIds, retryIds, underWay } = work;
        const room = Math.max(1, Math.floor(retriesMax / steps)) - underWay;
        const signalled =
          (await refresh('returnInspection', returnIds.slice(0, 1))) +
          (withRetries
            ? await refresh('webhookDelivery', retryIds.slice(0, Math.max(0, room)))
            : 0);
        if (signalled > 0) waitMs = pollMs.first;
        await delay(waitMs, undefined, { signal: stopping });
      }
    };
    return {
      /** Until all due steps of returns are made, one by one in the order of their instants. */
      untilReturnsAreDone: () => until(noReturns, false),
      /** Until, in addition, first attempts, attempts under way and messages are done. */
      untilRestIsDone: () => until(noRest, false),
      /** Until, in addition, all due retries are made. */
      untilRetriesAreDone: () => until((work) => noRest(work) && work.retryIds.length === 0, true),
      close: () => {
        steps -= 1;
      },
    };
  };
}

export type Settler = ReturnType<ReturnType<typeof createSettler>>;

const noReturns = ({ returnIds }: DueWork): boolean => returnIds.length === 0;
const noRest = (work: DueWork): boolean => noReturns(work) && work.isRestDone;

/** Signals runs, each again only after a while; returns how many it signalled. */
function createRefresh(refresh: Refresh) {
  const signals = new Map<string, { readonly nextMs: number; readonly waitMs: number }>();
  return async (...[kind, ids]: Parameters<Refresh>): Promise<number> => {
    const now = performance.now();
    const due = ids.filter((id) => now >= (signals.get(id)?.nextMs ?? now));
    for (const id of due) {
      const waitMs = 2 * (signals.get(id)?.waitMs ?? repeatMs / 2);
      signals.set(id, { nextMs: now + waitMs, waitMs });
    }
    if (due.length > 0) await refresh(kind, due);
    return due.length;
  };
}
