import type { Logger } from 'pino';
import { pruneKeys } from '../db/idempotency/idempotency-keys.ts';
import { prunePageSnapshots } from '../db/lists/page-snapshots.ts';
import type { Sql } from '../db/core/client.ts';
import { pruneActivity } from '../db/statistics/activity.ts';
import { countMessagesSetAside } from '../db/outbox/outbox.ts';
import { cancelStaleDeliveries } from '../db/webhooks/cancel-deliveries.ts';
import { compactCounters } from '../db/lists/compact-counters.ts';
import { startPollLoop } from '../relay/poll-loop.ts';

const everyMs = 10_000;

/** Runs tasks that need no history, every ten seconds, in any number of workers. */
export function startMaintenance({ sql, log }: { readonly sql: Sql; readonly log: Logger }) {
  let setAside: number | null = null;
  const tasks = {
    // Totals are right without compaction, so a task that fails costs only time.
    'compact counters': compactCounters,
    'prune page snapshots': prunePageSnapshots,
    'prune activity counts': pruneActivity,
    'prune idempotency keys': pruneKeys,
    'cancel stale deliveries': cancelStaleDeliveries,
    'count messages set aside': async () => {
      setAside = await countMessagesSetAside(sql);
    },
  };
  const { stop } = startPollLoop(async () => {
    for (const [name, task] of Object.entries(tasks)) {
      await task(sql).catch((error: unknown) => {
        log.warn({ err: error, task: name }, 'a maintenance task failed; retrying in 10 seconds');
      });
    }
    return { ms: everyMs };
  });
  return {
    /** The number of outbox messages set aside, as of the latest round; null before the first. */
    messagesSetAside: () => setAside,
    stop,
  };
}
