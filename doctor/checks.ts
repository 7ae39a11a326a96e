import { countChecks } from '../db/checks/kept-counts.ts';
import { messagesSetAside, stuckMessages } from '../db/checks/outbox-rows.ts';
import { unfoundOffers } from '../db/checks/search-rows.ts';
import { sequencesBehind } from '../db/checks/sequences.ts';
import { wrongOfferHistory, wrongReturnHistory } from '../db/checks/status-history.ts';
import { wrongSupply } from '../db/checks/supply-rows.ts';
import * as webhookRows from '../db/checks/webhook-rows.ts';
import { scanRows, type SmallCheck, type TableCheck } from '../db/checks/scan.ts';
import { oldSnapshots } from '../db/watch/old-snapshots.ts';
import type { RunKind } from '../temporal/runs/open-runs.ts';
import type { Check } from './check.ts';
import { checksOfRuns } from './run-checks.ts';
import { checksOfSecrets, secretsInHistories } from './secret-checks.ts';

/** The workflows of subjects whose rows are compared. */
const kinds: Readonly<Record<string, RunKind>> = {
  offer: 'offerReview',
  return: 'returnInspection',
  delivery: 'webhookDelivery',
};

/** A check that compares rows with rows. */
const recordCheck = (
  { id, title, subjectType, repair }: Omit<SmallCheck, 'read'>,
  find: Check['find'],
): Check => ({
  id,
  title,
  subjectType,
  kind: kinds[subjectType] ?? null,
  find,
  repair: repair === undefined ? null : ({ sql }, ids) => repair(sql, ids),
});

const rowsOfTable = (check: TableCheck): Check =>
  recordCheck(check, ({ sql, retentionMs }) => scanRows(sql, check, retentionMs));

const rowsAtOnce = (check: SmallCheck): Check =>
  recordCheck(check, async function* find({ sql }) {
    yield await check.read(sql);
  });

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
