import * as workflow from '@temporalio/workflow';
import type { MaintenanceActivities } from '../activities/maintenance.ts';

type Pruned = Awaited<ReturnType<MaintenanceActivities['pruneWebhookHistory']>>;
type Reconciled = Awaited<ReturnType<MaintenanceActivities['reconcile']>>;

const retry = { initialInterval: '1 second', maximumInterval: '1 minute' } as const;

/**
 * Deletes deliveries past their retention with all their rows (D48). A Temporal Schedule starts it.
 * The workflow has no input, so that its starter cannot choose what it deletes.
 */
export async function webhookRetention(): Promise<Pruned> {
  const { pruneWebhookHistory } = workflow.proxyActivities<MaintenanceActivities>({
    startToCloseTimeout: '1 hour',
    heartbeatTimeout: '12 seconds',
    retry,
    summary: 'delete deliveries past their retention',
  });
  const pruned = await pruneWebhookHistory();
  workflow.setCurrentDetails(`Deleted ${pruned.deliveries} deliveries past their retention.`);
  return pruned;
}

/**
 * Finds rows that wait for a run that is lost, and requests another. A Temporal Schedule starts it.
 */
export async function reconciliation(): Promise<Reconciled> {
  const { reconcile } = workflow.proxyActivities<MaintenanceActivities>({
    startToCloseTimeout: '1 minute',
    retry,
    summary: 'request runs for overdue rows',
  });
  const found = await reconcile();
  workflow.setCurrentDetails(
    `Requested runs for ${found.deliveries} deliveries, ${found.deliveryBatches} delivery batches and ${found.returns} returns.`,
  );
  return found;
}
