import * as workflow from '@temporalio/workflow';
import type { BatchActivities } from '../../deliveries/earlier-batches.ts';
import { localActivities } from '../lib/local-activities.ts';
import type {
  BatchProgress,
  WebhookDeliveryBatchInput,
} from './webhook-delivery-batch-messages.ts';

/**
 * Of an earlier version: no run of it starts any more, and it stays until none is open. Shows the
 * outcome of deliveries whose first attempts a relay made. The step that made the attempts left
 * over now moves their deliveries to the queue. Returns the number of deliveries by outcome.
 */
export async function webhookDeliveryBatch(
  input: WebhookDeliveryBatchInput,
): Promise<BatchProgress> {
  const { deliverBatch } = workflow.proxyActivities<BatchActivities>({
    // Covers a pass of a minute, the last requests that it began, and the storing of their results.
    startToCloseTimeout: '3 minutes',
    heartbeatTimeout: '12 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' },
    summary: 'first attempts that the relay left',
  });
  let progress = await localActivities<BatchActivities>('read the batch').readBatchProgress(input);
  for (;;) {
    const { succeeded, moved, ended, left } = progress;
    workflow.setCurrentDetails(
      `${input.size} deliveries: **${succeeded}** succeeded, ${moved} have runs of their own, ` +
        `${ended} dead-lettered or cancelled, ${left} waiting for their receivers.`,
    );
    if (left === 0) return progress;
    if (workflow.workflowInfo().continueAsNewSuggested) {
      await workflow.continueAsNew<typeof webhookDeliveryBatch>(input);
    }
    progress = await deliverBatch(input);
  }
}
