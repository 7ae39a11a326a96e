import * as workflow from '@temporalio/workflow';
import type { AgreementActivities } from '../activities/agreement-switch.ts';
import {
  agreementChanged,
  type AgreementBatch,
  type AgreementProgress,
  type AgreementSwitchInput,
} from './agreement-switch-messages.ts';

/** Offers of one batch: locked together for some tens of milliseconds, so that a vendor's call on one hardly waits. */
const batchSize = 500;

const steps = (summary: string) =>
  workflow.proxyActivities<AgreementActivities>({
    // A batch takes a fraction of a second; one that died with its worker is missed after this.
    startToCloseTimeout: '15 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds' },
    summary,
  });

/**
 * Lets a vendor's offers follow its agreement, in batches. They count as switched from the moment the agreement changed;
 * this brings what is stored up to that. It keeps no list: each batch takes what the record says is behind, so a worker
 * that dies, a second switch and a new offer in the middle make no difference.
 */
export async function agreementSwitch({
  vendorId,
  done,
}: AgreementSwitchInput): Promise<AgreementProgress> {
  let { offers, supplyOptions } = done;
  let needsRefresh = false;
  let remaining: number | null = null;
  workflow.setHandler(
    agreementChanged,
    () => {
      needsRefresh = true;
    },
    { description: 'Another agreement is in force: the offers are looked through again.' },
  );
  for (;;) {
    if (needsRefresh) remaining = null;
    needsRefresh = false;
    const summary = `after ${offers} offers, ${supplyOptions} supply options`;
    const batch: AgreementBatch = await steps(summary).followAgreement({
      vendorId,
      limit: batchSize,
      remaining,
    });
    remaining = batch.remaining;
    offers += batch.offers;
    supplyOptions += batch.supplyOptions;
    const rest = batch.isSettled
      ? 'Every offer follows the agreement.'
      : `${batch.remaining} offers to follow.`;
    workflow.setCurrentDetails(
      `**${offers}** offers, **${supplyOptions}** supply options. ${rest}`,
    );
    if (batch.isSettled && !needsRefresh) return { offers, supplyOptions };
    if (workflow.workflowInfo().continueAsNewSuggested) {
      await workflow.continueAsNew<typeof agreementSwitch>({
        vendorId,
        done: { offers, supplyOptions },
      });
    }
  }
}
