import { v7 as uuidv7 } from 'uuid';
import { countFirstAttempts, createDeliveryBatch } from '../../db/webhooks/delivery-batches.ts';
import { relayBatch, type RelayDependencies } from './relay-batch.ts';
import { createBatchPolicy, batchSizeMax } from './batch-policy.ts';
import type { Backoff } from './poll-loop.ts';

/** Beneath the notification: a message whose notification was lost waits no longer than this. */
const pollMs = 1000;
/** Dispatches started at once. */
const batchesMax = 20;

/** One round of the relay for deliveries that ask for a first attempt: a run for one, or a dispatch for many. */
export function createDeliveryLane(mover: RelayDependencies): () => Promise<Backoff> {
  const { sql } = mover;
  const pacing = createBatchPolicy();
  const start = (lane: 'deliveries' | 'dispatches', limit: number): Promise<number> =>
    relayBatch(mover, { lane, limit, mayWaitMax: limit });
  let sweptAt = -Infinity;

  return async () => {
    const waiting = await countFirstAttempts(sql, batchSizeMax);
    const now = performance.now();
    const next = waiting === 0 ? null : pacing.next(waiting, now);
    let moved = 0;
    if (next === 'alone') {
      moved = await start('deliveries', waiting);
      pacing.did('alone', moved, now);
    } else if (next === 'together') {
      const dispatch = { batchId: uuidv7(), max: batchSizeMax };
      moved = await createDeliveryBatch(sql, dispatch);
      pacing.did('together', moved, now);
    }
    // Also those that another relay left behind, or that an outage has piled up.
    if (next === 'together' || now - sweptAt >= pollMs) {
      const started = await start('dispatches', batchesMax);
      sweptAt = started < batchesMax ? now : -Infinity;
    }
    if (sweptAt === -Infinity) return { ms: 0 };
    if (next === 'later') return { ms: pacing.waitMs(performance.now()), isFirm: true };
    return { ms: moved < batchSizeMax ? pollMs : 0 };
  };
}
