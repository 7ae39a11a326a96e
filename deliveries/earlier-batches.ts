import type { Sql } from '../db/core/client.ts';
import { readBatch } from '../db/webhooks/delivery-batches.ts';
import { adoptDeliveries } from '../db/webhooks/delivery-queue.ts';
import type {
  BatchProgress,
  WebhookDeliveryBatchInput,
} from '../workflows/webhooks/webhook-delivery-batch-messages.ts';

/** The activities of the runs of an earlier version that are still open. */
export type BatchActivities = {
  /** Counts the deliveries of a batch by their outcome. */
  readonly readBatchProgress: (input: WebhookDeliveryBatchInput) => Promise<BatchProgress>;
  /** Moves the deliveries that wait for their first attempt to the queue: the run then ends. */
  readonly deliverBatch: (input: WebhookDeliveryBatchInput) => Promise<BatchProgress>;
};

export const createBatchActivities = ({ sql }: { readonly sql: Sql }): BatchActivities => ({
  readBatchProgress: ({ batchId }) => readBatch(sql, batchId),
  deliverBatch: async ({ batchId }) => {
    await adoptDeliveries(sql, batchId);
    return readBatch(sql, batchId);
  },
});
