import type { Sql } from '../db/core/client.ts';
import { reconcile, type Reconciled } from '../db/outbox/reconcile.ts';
import { pruneBatchSize, pruneWebhookHistory, type Pruned } from '../db/webhooks/retention.ts';
import { startHeartbeat } from './heartbeat.ts';

export type MaintenanceActivities = {
  /** Deletes the webhook history from before an instant (RFC 3339), in batches. */
  readonly pruneWebhookHistory: (request: { readonly before: string }) => Promise<Pruned>;
  /** Requests runs for rows that are overdue by `graceMs`. */
  readonly reconcile: (request: { readonly graceMs: number }) => Promise<Reconciled>;
};

export const createMaintenanceActivities = ({
  sql,
}: {
  readonly sql: Sql;
}): MaintenanceActivities => ({
  pruneWebhookHistory: ({ before }) => pruneInBatches(sql, new Date(before)),
  reconcile: ({ graceMs }) => reconcile(sql, graceMs),
});

async function pruneInBatches(sql: Sql, before: Date): Promise<Pruned> {
  const heartbeat = startHeartbeat();
  try {
    let total: Pruned | null = null;
    for (;;) {
      const batch = await pruneWebhookHistory(sql, before);
      total = total === null ? batch : sum(total, batch);
      const isDone = Math.max(...Object.values(batch)) < pruneBatchSize;
      if (isDone || heartbeat.signal.aborted) return total;
    }
  } finally {
    heartbeat.stop();
  }
}

const sum = (one: Pruned, other: Pruned): Pruned => ({
  deliveries: one.deliveries + other.deliveries,
  attempts: one.attempts + other.attempts,
  events: one.events + other.events,
  deliveryBatches: one.deliveryBatches + other.deliveryBatches,
  subscriptions: one.subscriptions + other.subscriptions,
});
