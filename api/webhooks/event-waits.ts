import { readLatestNumbers } from '../../db/webhooks/event-feed.ts';
import type { Sql } from '../../db/core/client.ts';

/** The time between two checks. One statement checks for all callers that wait. */
const intervalMs = 200;

type Wait = {
  readonly vendorId: string;
  readonly after: number;
  /** Whether the caller has disconnected, or the process drains. */
  readonly isOver: () => boolean;
  readonly endsAtMs: number;
  readonly resolve: () => void;
};

/** Waits of one process for events, without a connection of the pool. */
export function createEventWaits(sql: Sql) {
  const waits = new Set<Wait>();
  let timer: NodeJS.Timeout | null = null;

  const end = (wait: Wait): void => {
    waits.delete(wait);
    wait.resolve();
  };
  const check = async (): Promise<void> => {
    for (const wait of waits) if (wait.isOver() || performance.now() >= wait.endsAtMs) end(wait);
    if (waits.size === 0) return;
    const asked = [...waits];
    const latest = await readLatestNumbers(sql, [
      ...new Set(asked.map(({ vendorId }) => vendorId)),
    ]).catch(() => null);
    // While Postgres fails, each caller queries it and returns its error.
    for (const wait of asked)
      if (latest === null || (latest.get(wait.vendorId) ?? 0) > wait.after) end(wait);
  };
  const checkLater = (): void => {
    timer = setTimeout(() => {
      void check().finally(() => {
        timer = null;
        if (waits.size > 0) checkLater();
      });
    }, intervalMs);
  };
  return {
    /** Resolves when the vendor has an event after a number, when the time is over, or `isOver`. */
    until: (wanted: Pick<Wait, 'vendorId' | 'after' | 'isOver'>, timeoutMs: number) =>
      new Promise<void>((resolve) => {
        waits.add({ ...wanted, endsAtMs: performance.now() + timeoutMs, resolve });
        if (timer === null) checkLater();
      }),
  };
}
