import * as workflow from '@temporalio/workflow';
import type { BatchActivities } from '../../deliveries/earlier-batches.ts';
import { localActivities } from '../lib/local-activities.ts';
import { detailsText } from '../lib/details-text.ts';
import type {
  BatchContent,
  BatchMembers,
  BatchProgress,
  WebhookDeliveryBatchInput,
} from './webhook-delivery-batch-messages.ts';

/**
 * Of an earlier version: no run of it starts any more, and it stays until none is open. Shows the
 * outcome of deliveries whose first attempts a relay made. The step that made the attempts left over
 * now moves their deliveries to the queue. Returns the number of deliveries by outcome, and all of
 * them by their events.
 */
export async function webhookDeliveryBatch(
  input: WebhookDeliveryBatchInput,
): Promise<BatchContent> {
  const { deliverBatch } = workflow.proxyActivities<BatchActivities>({
    // Covers a pass of a minute, the last requests that it began, and the storing of their results.
    startToCloseTimeout: '3 minutes',
    heartbeatTimeout: '12 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' },
    summary: 'first attempts that the relay left',
  });
  const { members, ...first } =
    await localActivities<BatchActivities>('read the batch').readBatchProgress(input);
  let progress: BatchProgress = first;
  for (;;) {
    describe(input, progress, members ?? []);
    if (progress.left === 0) return members === undefined ? progress : { ...progress, members };
    if (workflow.workflowInfo().continueAsNewSuggested) {
      await workflow.continueAsNew<typeof webhookDeliveryBatch>(input);
    }
    progress = await deliverBatch(input);
  }
}

/** The subscriptions that the details list. */
const listedMax = 20;

/** Shows the progress in the Temporal UI. The details have no room for 500 events. */
function describe(
  { size }: WebhookDeliveryBatchInput,
  { succeeded, moved, ended, left }: BatchProgress,
  members: readonly BatchMembers[],
): void {
  const progress =
    `${size} deliveries: **${succeeded}** succeeded, ${moved} have runs of their own, ` +
    `${ended} dead-lettered or cancelled, ${left} waiting for their receivers.`;
  const lines = members.slice(0, listedMax).map(memberLine);
  const others = members.length - lines.length;
  workflow.setCurrentDetails(
    detailsText([
      progress,
      [...lines, ...(others > 0 ? [`- ${others} more subscriptions`] : [])].join('\n'),
      'The result of this run lists all events; until it ends, the first step `read the batch` ' +
        'does.',
    ]),
  );
}

const memberLine = ({ vendorId, subscriptionId, eventIds }: BatchMembers): string =>
  `- ${eventIds.length} to subscription \`${subscriptionId}\` of vendor \`${vendorId}\``;
