import { setMaxListeners } from 'node:events';
import type { Sql } from '../../db/core/client.ts';
import {
  listBatchMembers,
  readBatchState,
  listBatchedDeliveries,
} from '../../db/webhooks/delivery-batches.ts';
import type {
  BatchContent,
  BatchProgress,
  WebhookDeliveryBatchInput,
} from '../../workflows/webhooks/webhook-delivery-batch-messages.ts';
import type { DeliveryPipeline } from './delivery-pipeline.ts';
import { makeFirstAttempt } from './first-attempt.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { withTimeLimit } from '../time-limit.ts';

export type BatchActivities = {
  /** Lists the deliveries of a batch, and counts them by their outcome. */
  readonly readBatchProgress: (input: WebhookDeliveryBatchInput) => Promise<BatchContent>;
  /** Makes the outstanding first attempts of a delivery batch. */
  readonly deliverBatch: (input: WebhookDeliveryBatchInput) => Promise<BatchProgress>;
};

export const createBatchActivities = (pipeline: DeliveryPipeline): BatchActivities => ({
  readBatchProgress: ({ batchId }) => readBatchContent(pipeline.sql, batchId),
  deliverBatch: (input) => withHeartbeat((stopping) => deliverBatch(pipeline, input, stopping)),
});

async function readBatchContent(sql: Sql, batchId: string): Promise<BatchContent> {
  const [state, members] = await Promise.all([
    readBatchState(sql, batchId),
    listBatchMembers(sql, batchId),
  ]);
  return { ...state, members };
}

/** A pass begins no attempts after this time; the next pass makes the rest. */
const passMs = 60_000;

/**
 * Makes all attempts concurrently, limited for each receiving host only, so that a slow host delays
 * only itself. Begins each attempt when it has a slot, so that few are under way when a worker is
 * killed.
 */
async function deliverBatch(
  pipeline: DeliveryPipeline,
  input: WebhookDeliveryBatchInput,
  stopping: AbortSignal,
): Promise<BatchProgress> {
  const results = await withTimeLimit(stopping, passMs, async (passEnd) => {
    // Each delivery that waits for a slot adds a listener.
    setMaxListeners(0, passEnd);
    const deliveries = await listBatchedDeliveries(pipeline.sql, input.batchId);
    return Promise.allSettled(
      deliveries.map((delivery) =>
        makeFirstAttempt(pipeline, input, delivery, { passEnd, stopping }),
      ),
    );
  });
  const failure = results.find((result) => result.status === 'rejected');
  // A fault of the gateway: Temporal repeats the activity for deliveries without a result.
  if (failure !== undefined) throw failure.reason;
  // Postgres also counts what an earlier attempt of this activity did.
  return readBatchState(pipeline.sql, input.batchId);
}
