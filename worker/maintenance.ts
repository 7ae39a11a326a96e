import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { prunePageSnapshots } from '../db/lists/change-page.ts';
import type { Sql } from '../db/core/client.ts';
import { cancelStaleDeliveries } from '../db/webhooks/cancel-deliveries.ts';
import { compactCounters } from '../db/lists/compact-counters.ts';

const chores = [
  // A count that was not folded is as right, and takes a little longer to read.
  ['fold counts', compactCounters],
  ['forget old walks', prunePageSnapshots],
  ['end what waits at inactive subscriptions', cancelStaleDeliveries],
] as const;

/** Between two rounds. */
const everyMs = 10_000;

export type Maintenance = { readonly stop: () => Promise<void> };

/** Small chores of the record that need no history. Any number of workers may run them. */
export function startMaintenance({
  sql,
  log,
}: {
  readonly sql: Sql;
  readonly log: Logger;
}): Maintenance {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      for (const [name, chore] of chores) {
        await chore(sql).catch((error: unknown) => {
          log.warn({ err: error, chore: name }, 'a chore failed; it is tried again');
        });
      }
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
