import type { Logger } from 'pino';
import type { Sql } from '../db/core/client.ts';
import { extendLeases, releaseDeliveryBatch } from '../db/webhooks/delivery-batches.ts';

/** The run of a batch starts this long after its relay last extended the lease. */
export const defaultLeaseMs = 10_000;

/** A delivery batch that this relay fills, or makes the attempts of. */
export type HeldBatch = {
  readonly batchId: string;
  readonly openedAt: number;
  /** The number of claimed messages. */
  size: number;
  /** Attempts that have no stored result. */
  pending: number;
  isOpen: boolean;
  renewedAt: number;
};

export type HeldBatches = {
  readonly open: (batchId: string) => HeldBatch;
  /** The batch takes no more members. */
  readonly close: (batch: HeldBatch) => void;
  /** Counts an attempt of the batch as pending until `attempt` settles. */
  readonly track: (batch: HeldBatch, attempt: Promise<void>) => void;
  /** Extends leases of which about a third has passed. */
  readonly renew: () => Promise<void>;
  /** Waits for the pending attempts and releases all batches. */
  readonly stop: () => Promise<void>;
};

/**
 * Keeps the leases of batches while the relay makes their attempts, and releases a batch once it is
 * closed and none of its attempts is pending. If this process dies, the leases run out.
 */
export function createHeldBatches({
  sql,
  log,
  leaseMs,
  onReleased,
}: {
  readonly sql: Sql;
  readonly log: Logger;
  readonly leaseMs: number;
  readonly onReleased: () => void;
}): HeldBatches {
  const renewalMs = 0.3 * leaseMs;
  const held = new Set<HeldBatch>();
  const work = new Set<Promise<void>>();

  const until = (promise: Promise<void>): void => {
    work.add(promise);
    void promise.finally(() => work.delete(promise));
  };
  const releaseIfDone = (batch: HeldBatch): void => {
    if (batch.isOpen || batch.pending > 0 || !held.delete(batch)) return;
    until(
      releaseDeliveryBatch(sql, batch.batchId).then(onReleased, (error: unknown) => {
        log.warn(
          { err: error, batchId: batch.batchId },
          'cannot release a delivery batch; its run starts when the lease ends',
        );
      }),
    );
  };
  const close = (batch: HeldBatch): void => {
    batch.isOpen = false;
    releaseIfDone(batch);
  };
  const settle = async (batch: HeldBatch, attempt: Promise<void>): Promise<void> => {
    await attempt;
    batch.pending -= 1;
    releaseIfDone(batch);
  };
  const renew = async (): Promise<void> => {
    const now = performance.now();
    const due = [...held].filter(({ renewedAt }) => now - renewedAt >= 0.8 * renewalMs);
    if (due.length === 0) return;
    await extendLeases(
      sql,
      due.map(({ batchId }) => batchId),
      leaseMs,
    );
    for (const batch of due) batch.renewedAt = now;
  };
  const renewing = setInterval(() => {
    renew().catch((error: unknown) => {
      log.warn({ err: error }, 'cannot extend the leases of delivery batches; retrying');
    });
  }, renewalMs).unref();

  return {
    open: (batchId) => {
      const now = performance.now();
      const batch = { batchId, openedAt: now, size: 0, pending: 0, isOpen: true, renewedAt: now };
      held.add(batch);
      return batch;
    },
    close,
    track: (batch, attempt) => {
      batch.pending += 1;
      until(settle(batch, attempt));
    },
    renew,
    stop: async () => {
      for (const batch of held) close(batch);
      while (work.size > 0) await Promise.all(work);
      clearInterval(renewing);
    },
  };
}
