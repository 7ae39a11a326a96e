import type { Sql } from '../db/core/client.ts';
import { reconcile, type Reconciled } from '../db/outbox/reconcile.ts';
import { pruneBatchSize, pruneWebhookHistory, type Pruned } from '../db/webhooks/retention.ts';
import { startHeartbeat } from './heartbeat.ts';

export type MaintenanceActivities = {
  /** Takes away the webhook history from before an instant (RFC 3339), in batches. */
  readonly pruneHistory: (request: { readonly before: string }) => Promise<Pruned>;
  /** Asks again for the runs of what should have happened so long ago and has not. */
  readonly reconcileRecord: (request: { readonly graceMs: number }) => Promise<Reconciled>;
};

export const createMaintenanceActivities = ({
  sql,
}: {
  readonly sql: Sql;
}): MaintenanceActivities => ({
  pruneHistory: ({ before }) => pruneHistory(sql, new Date(before)),
  reconcileRecord: ({ graceMs }) => reconcile(sql, graceMs),
});

const nothing: Pruned = {
  deliveries: 0,
  attempts: 0,
  events: 0,
  deliveryBatches: 0,
  subscriptions: 0,
};

async function pruneHistory(sql: Sql, before: Date): Promise<Pruned> {
  const pulse = startHeartbeat();
  try {
    let total = nothing;
    for (;;) {
      const batch = await pruneWebhookHistory(sql, before);
      total = {
        deliveries: total.deliveries + batch.deliveries,
        attempts: total.attempts + batch.attempts,
        events: total.events + batch.events,
        deliveryBatches: total.deliveryBatches + batch.deliveryBatches,
        subscriptions: total.subscriptions + batch.subscriptions,
      };
      const isDone = Math.max(...Object.values(batch)) < pruneBatchSize;
      if (isDone || pulse.signal.aborted) return total;
    }
  } finally {
    pulse.stop();
  }
}
