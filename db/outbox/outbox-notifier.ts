import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from '../core/client.ts';

/** Notices of one process are at least so far apart: in a burst one tells of a dozen messages. */
const apartMs = 10;

/**
 * Wakes the relays after a transaction that put messages into the outbox and told nobody. A notice within the transaction would
 * make its commit wait for every other that has one: Postgres lets them through one by one, each with its own flush to
 * the disk. One that is lost costs a second: relays look by themselves.
 */
export function createOutboxNotice(sql: Queryable): () => void {
  let isWanted = false;
  let isSending = false;
  const send = async (): Promise<void> => {
    isSending = true;
    while (isWanted) {
      isWanted = false;
      // There is nothing to be kept through a crash, so its own commit need not wait for the disk.
      await sql`
        select set_config('synchronous_commit', 'off', true), pg_notify('outbox', '')`.catch(
        () => undefined,
      );
      await delay(apartMs);
    }
    isSending = false;
  };
  return () => {
    isWanted = true;
    if (!isSending) void send();
  };
}
