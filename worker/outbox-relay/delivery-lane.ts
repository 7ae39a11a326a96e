import { v7 as uuidv7 } from 'uuid';
import { countFirstAttempts, createDeliveryBatch } from '../../db/webhooks/delivery-batches.ts';
import { relayBatch, type RelayDependencies } from './relay-batch.ts';
import { createBatchPolicy, batchSizeMax } from './batch-policy.ts';
import type { Backoff } from './poll-loop.ts';

/** The longest wait of a message whose notification was lost. */
const pollMs = 1000;
/** Delivery batches started at once. */
const batchesMax = 20;

/** One round of the relay for deliveries that ask for a first attempt: single runs, or a batch. */
export function createDeliveryLane(dependencies: RelayDependencies): () => Promise<Backoff> {
  const { sql } = dependencies;
  const policy = createBatchPolicy();
  const start = (lane: 'deliveries' | 'batches', limit: number): Promise<number> =>
    relayBatch(dependencies, { lane, limit, lowPriorityMax: limit });
  let batchesStartedAt = -Infinity;

  return async () => {
    const waiting = await countFirstAttempts(sql, batchSizeMax);
    const now = performance.now();
    const next = waiting === 0 ? null : policy.next(waiting, now);
    let moved = 0;
    if (next === 'single') {
      moved = await start('deliveries', waiting);
      policy.record('single', moved, now);
    } else if (next === 'batch') {
      moved = await createDeliveryBatch(sql, { batchId: uuidv7(), max: batchSizeMax });
      policy.record('batch', moved, now);
    }
    // Includes batches that another relay, or an outage of Temporal, left in the outbox.
    if (next === 'batch' || now - batchesStartedAt >= pollMs) {
      const started = await start('batches', batchesMax);
      batchesStartedAt = started < batchesMax ? now : -Infinity;
    }
    if (batchesStartedAt === -Infinity) return { ms: 0 };
    if (next === 'wait') return { ms: policy.waitMs(performance.now()), isFirm: true };
    return { ms: moved < batchSizeMax ? pollMs : 0 };
  };
}
