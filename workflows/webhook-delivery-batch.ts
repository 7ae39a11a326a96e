import * as workflow from '@temporalio/workflow';
import type { BatchActivities } from '../activities/deliver-batch.ts';
import type {
  BatchProgress,
  WebhookDeliveryBatchInput,
} from './webhook-delivery-batch-messages.ts';

/**
 * Makes the first attempts of many deliveries, since a run costs fifty times as much as a delivery.
 * A delivery that fails continues in a run of its own. Returns how many deliveries ended how.
 */
export async function webhookDeliveryBatch(
  input: WebhookDeliveryBatchInput,
): Promise<BatchProgress> {
  const { deliverBatch } = workflow.proxyActivities<BatchActivities>({
    // A pass of a minute, the last requests that it began, and storing their results.
    startToCloseTimeout: '3 minutes',
    heartbeatTimeout: '12 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' },
    summary: `first attempts of ${input.size} deliveries`,
  });
  for (;;) {
    const progress = await deliverBatch(input);
    const { succeeded, retrying, ended, left } = progress;
    workflow.setCurrentDetails(
      `${input.size} deliveries: **${succeeded}** succeeded, ${retrying} retried by runs of their own, ` +
        `${ended} dead-lettered or cancelled, ${left} waiting for their receivers.`,
    );
    if (left === 0) return progress;
    if (workflow.workflowInfo().continueAsNewSuggested) {
      await workflow.continueAsNew<typeof webhookDeliveryBatch>(input);
    }
  }
}
