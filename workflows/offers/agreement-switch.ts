import * as workflow from '@temporalio/workflow';
import type { AgreementActivities } from '../../activities/agreement-switch.ts';
import { handleRecordSignals } from '../lib/record-signals.ts';
import { recordChanged } from '../record-changed.ts';
import type {
  AgreementBatch,
  AgreementProgress,
  AgreementSwitchInput,
} from './agreement-switch-messages.ts';

/** Offers of one batch, locked for some tens of milliseconds, so vendors hardly wait. */
const batchSize = 500;

const activities = (summary: string) =>
  workflow.proxyActivities<AgreementActivities>({
    // A batch takes a fraction of a second. The timeout detects a batch whose worker stopped.
    startToCloseTimeout: '15 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds' },
    summary,
  });

/**
 * Applies a vendor's new agreement to its stored offers, in batches. The agreement is effective
 * from the moment of the switch; this run updates the stored rows. Each batch takes the rows that
 * Postgres has as outdated, so the run needs no list and survives lost workers, second switches and
 * offers that arrive meanwhile.
 */
export async function agreementSwitch({
  vendorId,
  done,
}: AgreementSwitchInput): Promise<AgreementProgress> {
  let { offers, supplyOptions } = done;
  let remaining: number | null = null;
  const refresh = handleRecordSignals({
    [recordChanged.name]: 'The agreement changed again. The run starts over with all offers.',
  });
  for (;;) {
    if (refresh.isNeeded) remaining = null;
    refresh.isNeeded = false;
    const summary = `after ${offers} offers, ${supplyOptions} supply options`;
    const batch: AgreementBatch = await activities(summary).applyAgreementBatch({
      vendorId,
      limit: batchSize,
      remaining,
    });
    remaining = batch.remaining;
    offers += batch.offers;
    supplyOptions += batch.supplyOptions;
    const rest = batch.isSettled ? 'All offers are up to date.' : `${remaining} offers remain.`;
    workflow.setCurrentDetails(
      `**${offers}** offers, **${supplyOptions}** supply options. ${rest}`,
    );
    if (batch.isSettled && !refresh.isNeeded) return { offers, supplyOptions };
    if (workflow.workflowInfo().continueAsNewSuggested) {
      await workflow.continueAsNew<typeof agreementSwitch>({
        vendorId,
        done: { offers, supplyOptions },
      });
    }
  }
}
