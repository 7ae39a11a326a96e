import type { Sql } from '../db/core/client.ts';
import { findDueMessages, type MessagesSince, type OutboxLane } from '../db/outbox/outbox.ts';

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/**
 * Remembers from where a claim has to read the outbox. While a transaction is old, Postgres keeps
 * each message that was deleted since it began, and each claim would read over all of them.
 *
 * A message of a lower id may be stored after one of a higher id. So a claim reads from what the
 * look before the latest one has found, and what is stored later waits for the next look.
 */
export function createOutboxWalk(sql: Sql, lane: OutboxLane) {
  let since: MessagesSince = { normal: 0n, low: 0n };
  let latest = since;
  return {
    since: (): MessagesSince => since,
    /** Returns whether claims have missed messages. */
    look: async (): Promise<boolean> => {
      const due = await findDueMessages(sql, lane);
      since = { normal: least(latest.normal, due.normal), low: least(latest.low, due.low) };
      latest = due;
      return due.hasMissed;
    },
  };
}
