import * as workflow from '@temporalio/workflow';
import type { BatchActivities } from '../activities/deliver-batch.ts';
import type { BatchPass, WebhookDeliveryBatchInput } from './webhook-delivery-batch-messages.ts';

/**
 * The first attempts of many deliveries, made together: a run for each would cost fifty times as much as the delivery itself. Those
 * that fail go on in runs of their own. Resolves to what became of all of them.
 */
export async function webhookDeliveryBatch(input: WebhookDeliveryBatchInput): Promise<BatchPass> {
  const { deliverBatch } = workflow.proxyActivities<BatchActivities>({
    // A pass of a minute, the last requests begun in it, and their results.
    startToCloseTimeout: '3 minutes',
    heartbeatTimeout: '12 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' },
    summary: `first attempts of ${input.size}`,
  });
  for (;;) {
    const standing = await deliverBatch(input);
    const { succeeded, retrying, ended, left } = standing;
    workflow.setCurrentDetails(
      `${input.size} deliveries: **${succeeded}** delivered, ${retrying} gone on in runs of their own, ` +
        `${ended} ended, ${left} waiting for their receivers.`,
    );
    if (left === 0) return standing;
    if (workflow.workflowInfo().continueAsNewSuggested) {
      await workflow.continueAsNew<typeof webhookDeliveryBatch>(input);
    }
  }
}
