import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from '../core/client.ts';

/** The shortest interval between notifications; in a burst, one announces many messages. */
const intervalMs = 10;

/**
 * Creates a function that wakes the relays after a transaction that wrote deliveries without a
 * notification. A notification inside the transaction would serialize the commits: Postgres flushes
 * each such commit to disk alone. A lost notification costs a second, the relays' poll interval.
 */
export function createOutboxNotifier(sql: Queryable): () => void {
  let isRequested = false;
  let isSending = false;
  const send = async (): Promise<void> => {
    isSending = true;
    while (isRequested) {
      isRequested = false;
      // A crash may lose the notification, so its commit does not wait for the disk.
      await sql`
        select set_config('synchronous_commit', 'off', true),
          pg_notify('outbox', 'deliveries')`.catch(() => undefined);
      await delay(intervalMs);
    }
    isSending = false;
  };
  return () => {
    isRequested = true;
    if (!isSending) void send();
  };
}
