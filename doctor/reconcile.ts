import { cancelStaleSamples } from '../db/webhooks/cancel-samples.ts';
import type { RunContext } from './check.ts';
import { runCheck } from './examine.ts';
import { checksOfRuns } from './run-checks.ts';

/** How many runs a reconciliation has requested or made read the record, by the id of the check. */
export type Reconciled = Readonly<Record<string, number>>;

/**
 * Compares the record with all runs, both ways, and repairs what differs: the record decides. Also
 * cancels samples whose callers have left. Rejects if a check failed.
 */
export async function reconcile(context: RunContext, signal: AbortSignal): Promise<Reconciled> {
  await cancelStaleSamples(context.sql);
  const repaired: Record<string, number> = {};
  for (const check of checksOfRuns) {
    const result = await runCheck(context, check, { isRepairing: true, findingsMax: 0, signal });
    if (result.error !== null) throw result.error;
    if (result.repaired > 0) repaired[check.id] = result.repaired;
  }
  return repaired;
}
