import * as workflow from '@temporalio/workflow';
import type { DispatchActivities } from '../activities/dispatch-deliveries.ts';
import type { DispatchPass, WebhookDispatchInput } from './webhook-dispatch-messages.ts';

/**
 * The first attempts of many deliveries, made together: a run for each would cost fifty times as much as the delivery itself. Those
 * that fail go on in runs of their own. Resolves to what became of all of them.
 */
export async function webhookDispatch(input: WebhookDispatchInput): Promise<DispatchPass> {
  const { dispatchDeliveries } = workflow.proxyActivities<DispatchActivities>({
    // A pass of a minute, the last requests begun in it, and their results.
    startToCloseTimeout: '3 minutes',
    heartbeatTimeout: '12 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' },
    summary: `first attempts of ${input.size}`,
  });
  const total = { succeeded: 0, retrying: 0, ended: 0 };
  for (;;) {
    const { succeeded, retrying, ended, left } = await dispatchDeliveries(input);
    total.succeeded += succeeded;
    total.retrying += retrying;
    total.ended += ended;
    workflow.setCurrentDetails(
      `${input.size} deliveries: **${total.succeeded}** delivered, ${total.retrying} to be tried again in runs of their own, ` +
        `${total.ended} ended, ${left} waiting for their receivers.`,
    );
    if (left === 0) return { ...total, left };
    if (workflow.workflowInfo().continueAsNewSuggested)
      await workflow.continueAsNew<typeof webhookDispatch>(input);
  }
}
