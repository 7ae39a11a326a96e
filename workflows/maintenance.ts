import * as workflow from '@temporalio/workflow';
import type { MaintenanceActivities } from '../activities/maintenance.ts';
import type { ResealingActivities, ResealingPass } from '../activities/reseal-secrets.ts';

type Pruned = Awaited<ReturnType<MaintenanceActivities['pruneWebhookHistory']>>;
type Reconciled = Awaited<ReturnType<MaintenanceActivities['reconcile']>>;

const activities = <TActivities>(startToCloseTimeout: '10 minutes' | '1 hour', summary: string) =>
  workflow.proxyActivities<TActivities>({
    startToCloseTimeout,
    heartbeatTimeout: '12 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
    summary,
  });

/**
 * Deletes deliveries and jobs past their retention, with all their rows. A Temporal Schedule starts
 * it. The workflow has no input, so that its starter cannot choose what it deletes.
 */
export async function webhookRetention(): Promise<Pruned> {
  const summary = 'delete deliveries past their retention';
  const pruned = await activities<MaintenanceActivities>('1 hour', summary).pruneWebhookHistory();
  workflow.setCurrentDetails(`Deleted ${pruned.deliveries} deliveries past their retention.`);
  return pruned;
}

/**
 * Compares the record with all runs, both ways, and repairs the runs: those that are lost, and
 * those that differ from the record. A Temporal Schedule starts it.
 */
export async function reconciliation(): Promise<Reconciled> {
  const summary = 'compare the record with all runs';
  const repaired = await activities<MaintenanceActivities>('1 hour', summary).reconcile();
  const lines = Object.entries(repaired).map(([check, count]) => `- \`${check}\`: ${count}`);
  workflow.setCurrentDetails(
    lines.length === 0 ? 'The record and all runs agree.' : ['Repaired:', ...lines].join('\n'),
  );
  return repaired;
}

/**
 * Seals webhook secrets under the first key of SECRETS_KEY, pass by pass, after a change of the
 * keys. A worker starts it when it finds secrets under another key. Returns how many secrets it
 * sealed again, and how many are left.
 */
export async function secretResealing(): Promise<Omit<ResealingPass, 'next'>> {
  const summary = 'seal webhook secrets under the first key';
  const { resealSecrets } = activities<ResealingActivities>('10 minutes', summary);
  let resealed = 0;
  for (let after: string | null = null; ;) {
    const { next, ...pass }: ResealingPass = await resealSecrets({ after });
    resealed += pass.resealed;
    workflow.setCurrentDetails(resealingDetails({ ...pass, resealed }));
    if (next === null) return { ...pass, resealed };
    after = next;
  }
}

const resealingDetails = ({
  resealed,
  keyId,
  left,
  withoutKey,
}: Omit<ResealingPass, 'next'>): string =>
  [
    `Sealed ${resealed} webhook secrets under the key \`${keyId}\`.`,
    left === 0
      ? 'None is left under another key of `SECRETS_KEY`.'
      : `**${left} are left** under other keys of \`SECRETS_KEY\`.`,
    ...(withoutKey === 0
      ? []
      : [`**${withoutKey} are under keys that \`SECRETS_KEY\` does not have**: add these keys.`]),
  ].join('\n\n');
