import type { Sql } from '../db/core/client.ts';
import { adoptDeliveries, readBatch } from '../db/webhooks/delivery-batches.ts';
import type {
  BatchProgress,
  WebhookDeliveryBatchInput,
} from '../workflows/webhooks/webhook-delivery-batch-messages.ts';

export const createBatchActivities = ({ sql }: { readonly sql: Sql }) => ({
  /** Counts the deliveries of a batch by their outcome. */
  readBatchProgress: ({ batchId }: WebhookDeliveryBatchInput): Promise<BatchProgress> =>
    readBatch(sql, batchId),
  /** Moves the deliveries that wait for their first attempt to the queue: the run then ends. */
  deliverBatch: async ({ batchId }: WebhookDeliveryBatchInput): Promise<BatchProgress> => {
    await adoptDeliveries(sql, batchId);
    return readBatch(sql, batchId);
  },
});

/** The activities of the runs of an earlier version that are still open. */
export type BatchActivities = ReturnType<typeof createBatchActivities>;
