import { leastId } from '../db/checks/waiting-rows.ts';
import type { Remaining, Walk } from '../db/webhooks/delivery-queue.ts';

/** A delivery that its transaction stores later than this after its start waits for a look. */
const commitMs = 1000;
/** With more such subscriptions, claims read from the beginning of the queue. */
const remainingMax = 200;
const beginning = '-infinity';

function note(of: Map<string, string>, more: Remaining): void {
  for (const [id, from] of more) {
    const known = of.get(id);
    if (known === undefined || from < known) of.set(id, from);
  }
}

/**
 * Remembers from where a claim has to read the queue. While a transaction is old, Postgres keeps
 * the row of each delivery that was made since it began, and each claim would read over all of
 * them.
 *
 * A walk goes over all subscriptions, in one or several claims. After it, every delivery that was
 * due when it began is claimed, or is of a subscription that it left, or its transaction ends
 * later. A look at the whole queue finds the last ones, and claims of workers that died.
 */
export function createQueueWalk() {
  let walkedTo = leastId;
  let since = beginning;
  /** From when on subscriptions may have deliveries that are due before `since`. */
  let remaining = new Map<string, string>();
  /** The same, of what was found during a walk: the next walk reads it. */
  const found = new Map<string, string>();
  /** Of the walk that is under way. */
  let begunAt: Date | null = null;
  let left = new Map<string, string>();
  let claimed = 0;

  const end = (at: Date): void => {
    since = new Date(at.getTime() - commitMs).toISOString();
    remaining = left;
    left = new Map();
    begunAt = null;
    claimed = 0;
  };
  return {
    /** Where the next claim reads. */
    next: () => {
      if (begunAt === null) {
        note(remaining, found);
        found.clear();
      }
      if (remaining.size > remainingMax) {
        since = beginning;
        remaining.clear();
      }
      return { walkedTo, since, remaining };
    },
    /** Returns whether more may be claimed at once. */
    advance: (walk: Walk): boolean => {
      begunAt ??= walk.claimedAt;
      claimed += walk.deliveries.length;
      for (const [id, from] of walk.remaining) left.set(id, from);
      ({ walkedTo } = walk);
      if (walkedTo !== leastId) return true;
      const isToGoOn = walk.hasMore && claimed > 0;
      end(begunAt);
      return isToGoOn;
    },
    /** The next walk reads these too. */
    add: (more: Remaining): void => note(found, more),
    since: (): string => since,
  };
}
