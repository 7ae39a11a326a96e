import * as workflow from '@temporalio/workflow';
import type { BatchActivities } from '../activities/deliver-batch.ts';
import { localActivities } from './lib/local-activities.ts';
import type {
  BatchMembers,
  BatchProgress,
  WebhookDeliveryBatchInput,
} from './webhook-delivery-batch-messages.ts';

/**
 * Shows the outcome of deliveries whose first attempts a relay made, and makes those that it left,
 * because receivers were busy or the relay was stopped. A delivery that fails continues in a run of
 * its own. Returns how many deliveries ended how.
 */
export async function webhookDeliveryBatch(
  input: WebhookDeliveryBatchInput,
): Promise<BatchProgress> {
  const { deliverBatch } = workflow.proxyActivities<BatchActivities>({
    // A pass of a minute, the last requests that it began, and storing their results.
    startToCloseTimeout: '3 minutes',
    heartbeatTimeout: '12 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' },
    summary: 'first attempts that the relay left',
  });
  const { members = [], ...first } =
    await localActivities<BatchActivities>('read the batch').readBatchProgress(input);
  let progress: BatchProgress = first;
  for (;;) {
    describe(input, progress, members);
    if (progress.left === 0) return progress;
    if (workflow.workflowInfo().continueAsNewSuggested) {
      await workflow.continueAsNew<typeof webhookDeliveryBatch>(input);
    }
    progress = await deliverBatch(input);
  }
}

/** Shows the progress and all deliveries in the Temporal UI. */
function describe(
  { size }: WebhookDeliveryBatchInput,
  { succeeded, moved, ended, left }: BatchProgress,
  members: readonly BatchMembers[],
): void {
  const progress =
    `${size} deliveries: **${succeeded}** succeeded, ${moved} have runs of their own, ` +
    `${ended} dead-lettered or cancelled, ${left} waiting for their receivers.`;
  workflow.setCurrentDetails([progress, ...members.map(memberText)].join('\n\n'));
}

const memberText = ({ vendorId, subscriptionId, eventIds }: BatchMembers): string =>
  [
    `To subscription \`${subscriptionId}\` of vendor \`${vendorId}\`:\n`,
    ...eventIds.map((eventId) => `- \`${eventId}\``),
  ].join('\n');
