import { countChecks } from '../db/checks/kept-counts.ts';
import { messagesSetAside, stuckMessages } from '../db/checks/outbox-rows.ts';
import { unfoundOffers } from '../db/checks/search-rows.ts';
import { sequencesBehind } from '../db/checks/sequences.ts';
import { wrongOfferHistory, wrongReturnHistory } from '../db/checks/status-history.ts';
import { wrongSupply } from '../db/checks/supply-rows.ts';
import * as webhookRows from '../db/checks/webhook-rows.ts';
import { oldSnapshots } from '../db/watch/old-snapshots.ts';
import type { Check } from './check.ts';
import { secretsInHistories } from './history-check.ts';
import { rowsAtOnce, rowsOfTable } from './row-checks.ts';
import { checksOfRuns } from './run-checks.ts';
import { checksOfSecrets } from './secret-checks.ts';

/**
 * Every kind of damage that the doctor knows, in the order of its report: first what is few, then
 * what has a run, then whole tables.
 */
export const checks: readonly Check[] = [
  ...[sequencesBehind, stuckMessages, messagesSetAside, oldSnapshots].map(rowsAtOnce),
  ...checksOfSecrets,
  ...checksOfRuns,
  ...[
    webhookRows.eventsWithoutDelivery,
    webhookRows.eventsOutOfSequence,
    webhookRows.attemptsWithoutEnd,
    webhookRows.wrongAttemptNumbers,
    webhookRows.unlistedDeliveries,
    wrongSupply,
    unfoundOffers,
    wrongOfferHistory,
    wrongReturnHistory,
    ...Object.values(countChecks),
  ].map(rowsOfTable),
  secretsInHistories,
];

export const checkIds: readonly string[] = checks.map(({ id }) => id);
