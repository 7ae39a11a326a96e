import { v7 as uuidv7 } from 'uuid';
import { countFirstAttempts, groupFirstAttempts } from '../../db/webhooks/delivery-batches.ts';
import { moveBatch, type Mover } from './relay-batch.ts';
import { createPacing, dispatchSizeMax } from './batch-policy.ts';
import type { Rest } from './poll-loop.ts';

/** Beneath the notification: a message whose notification was lost waits no longer than this. */
const pollMs = 1000;
/** Dispatches started at once. */
const dispatchesMax = 20;

/** One round of the relay for deliveries that ask for a first attempt: a run for one, or a dispatch for many. */
export function createDeliveryLane(mover: Mover): () => Promise<Rest> {
  const { sql } = mover;
  const pacing = createPacing();
  const start = (lane: 'deliveries' | 'dispatches', limit: number): Promise<number> =>
    moveBatch(mover, { lane, limit, mayWaitMax: limit });
  let sweptAt = -Infinity;

  return async () => {
    const waiting = await countFirstAttempts(sql, dispatchSizeMax);
    const now = performance.now();
    const next = waiting === 0 ? null : pacing.next(waiting, now);
    let moved = 0;
    if (next === 'alone') {
      moved = await start('deliveries', waiting);
      pacing.did('alone', moved, now);
    } else if (next === 'together') {
      const dispatch = { dispatchId: uuidv7(), max: dispatchSizeMax };
      moved = await groupFirstAttempts(sql, dispatch);
      pacing.did('together', moved, now);
    }
    // Also those that another relay left behind, or that an outage has piled up.
    if (next === 'together' || now - sweptAt >= pollMs) {
      const started = await start('dispatches', dispatchesMax);
      sweptAt = started < dispatchesMax ? now : -Infinity;
    }
    if (sweptAt === -Infinity) return { ms: 0 };
    if (next === 'later') return { ms: pacing.waitMs(performance.now()), isFirm: true };
    return { ms: moved < dispatchSizeMax ? pollMs : 0 };
  };
}
