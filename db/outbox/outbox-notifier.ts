import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from '../core/client.ts';

/**
 * The shortest intervals before a notification of its own, and before one inside a transaction. In
 * a burst, one announces many messages.
 */
const ownIntervalMs = 10;
const joinedIntervalMs = 5;

type OutboxNotifier = {
  /** Wakes the relays after a transaction that wrote deliveries without a notification. */
  readonly notify: () => void;
  /**
   * Whether a transaction that begins now should notify the relays itself: yes if no notification
   * was sent a moment ago.
   */
  readonly join: () => boolean;
};

/**
 * Notifies the relays of deliveries. A notification inside a transaction costs no statement of its
 * own, but in a burst it would serialize the commits: Postgres flushes each such commit to disk
 * alone. A lost notification costs a second, the relays' poll interval.
 */
export function createOutboxNotifier(sql: Queryable): OutboxNotifier {
  let isRequested = false;
  let isSending = false;
  let notifiedAt = -Infinity;
  const send = async (): Promise<void> => {
    isSending = true;
    while (isRequested) {
      isRequested = false;
      notifiedAt = performance.now();
      // A crash may lose the notification, so its commit does not wait for the disk.
      await sql`
        select set_config('synchronous_commit', 'off', true),
          pg_notify('outbox', 'deliveries')`.catch(() => undefined);
      await delay(ownIntervalMs);
    }
    isSending = false;
  };
  return {
    notify: () => {
      isRequested = true;
      if (!isSending) void send();
    },
    join: () => {
      const now = performance.now();
      if (now - notifiedAt < joinedIntervalMs) return false;
      notifiedAt = now;
      return true;
    },
  };
}
