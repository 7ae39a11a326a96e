import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { forgetOldWalks } from '../db/lists/change-page.ts';
import type { Sql } from '../db/core/client.ts';
import { endLeftOvers } from '../db/webhooks/cancel-deliveries.ts';
import { foldCounts } from '../db/lists/compact-counters.ts';

const chores = [
  // A count that was not folded is as right, and takes a little longer to read.
  ['fold counts', foldCounts],
  ['forget old walks', forgetOldWalks],
  ['end what waits at inactive subscriptions', endLeftOvers],
] as const;

/** Between two rounds. */
const everyMs = 10_000;

export type Housekeeping = { readonly stop: () => Promise<void> };

/** Small chores of the record that need no history. Any number of workers may run them. */
export function startHousekeeping({ sql, log }: { readonly sql: Sql; readonly log: Logger }): Housekeeping {
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
