import * as workflow from '@temporalio/workflow';
import type { MaintenanceActivities } from '../activities/maintenance.ts';

type Pruned = Awaited<ReturnType<MaintenanceActivities['pruneWebhookHistory']>>;
type Reconciled = Awaited<ReturnType<MaintenanceActivities['reconcile']>>;

const retry = { initialInterval: '1 second', maximumInterval: '1 minute' } as const;

/** Deletes deliveries past their retention with all their rows (D48). A schedule starts it. */
export async function webhookRetention({ keptMs }: { readonly keptMs: number }): Promise<Pruned> {
  const before = new Date(Date.now() - keptMs).toISOString();
  const { pruneWebhookHistory } = workflow.proxyActivities<MaintenanceActivities>({
    startToCloseTimeout: '1 hour',
    heartbeatTimeout: '12 seconds',
    retry,
    summary: `delete deliveries from before ${before}`,
  });
  const pruned = await pruneWebhookHistory({ before });
  workflow.setCurrentDetails(`Deleted ${pruned.deliveries} deliveries from before ${before}.`);
  return pruned;
}

/** Finds rows that wait for a run that is lost, and requests another. A schedule starts it. */
export async function reconciliation({
  graceMs,
}: {
  readonly graceMs: number;
}): Promise<Reconciled> {
  const { reconcile } = workflow.proxyActivities<MaintenanceActivities>({
    startToCloseTimeout: '1 minute',
    retry,
    summary: 'request runs for overdue rows',
  });
  const found = await reconcile({ graceMs });
  workflow.setCurrentDetails(
    `Requested runs for ${found.deliveries} deliveries, ${found.deliveryBatches} delivery batches and ${found.returns} returns.`,
  );
  return found;
}
