import * as workflow from '@temporalio/workflow';
import type { MaintenanceActivities } from '../activities/maintenance.ts';

type Pruned = Awaited<ReturnType<MaintenanceActivities['pruneHistory']>>;
type Reconciled = Awaited<ReturnType<MaintenanceActivities['reconcileRecord']>>;

const steps = (startToCloseTimeout: '1 hour' | '1 minute', summary: string) =>
  workflow.proxyActivities<MaintenanceActivities>({
    startToCloseTimeout,
    heartbeatTimeout: startToCloseTimeout === '1 hour' ? '12 seconds' : undefined,
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
    summary,
  });

/** Takes away the deliveries that are past their retention, with all that belongs to them (D48). Started by a schedule. */
export async function webhookRetention({ keptMs }: { readonly keptMs: number }): Promise<Pruned> {
  const before = new Date(Date.now() - keptMs).toISOString();
  const pruned = await steps('1 hour', `what is from before ${before}`).pruneHistory({ before });
  workflow.setCurrentDetails(`Took away ${pruned.deliveries} deliveries from before ${before}.`);
  return pruned;
}

/** Finds what waits for a run that is no more, and asks for another. Started by a schedule. */
export async function reconciliation({
  graceMs,
}: {
  readonly graceMs: number;
}): Promise<Reconciled> {
  const found = await steps('1 minute', 'what is overdue').reconcileRecord({ graceMs });
  workflow.setCurrentDetails(
    `Asked again for ${found.deliveries} deliveries, ${found.deliveryBatches} batches and ${found.returns} returns.`,
  );
  return found;
}
