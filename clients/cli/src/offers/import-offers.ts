import type { Offer, VendorClient } from 'vendor-gateway-client';
import type { CommonArguments, Context } from '../core/command.ts';
import { forEachConcurrently } from '../core/concurrent.ts';
import { readCsv } from '../core/csv.ts';
import { exitCodes, type ExitCode } from '../core/exit.ts';
import { explain } from '../core/explain.ts';
import type { RowFailure } from '../core/failures.ts';
import { startProgress } from '../core/progress.ts';
import { rowsWithoutJob } from '../jobs/chunks.ts';
import { journalsOf, temporaryJournal } from '../jobs/journal.ts';
import { noteResumption } from '../jobs/note-jobs.ts';
import { importByJobs, importChunks } from './import-by-jobs.ts';
import { reportImport } from './import-summary.ts';
import { changedFields, type Difference } from './offer-difference.ts';
import { offerColumns, planImport, type Plan, type Step } from './plan-import.ts';

type Arguments = CommonArguments & { readonly file: string; readonly dryRun: boolean };

/** Calls at a time: enough to reach the rate limit. */
const concurrency = 4;

/**
 * Every stored offer of the vendor's own that has an external id: an operator's offer may have the
 * same one. The changes miss none while others write.
 */
async function readOffers(
  client: VendorClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Offer>> {
  const stored = new Map<string, Offer>();
  for await (const offer of client.offers.changedSince('1970-01-01T00:00:00Z', {}, { signal }))
    if (offer.source === 'Api' && offer.vendorExternalId !== null)
      stored.set(offer.vendorExternalId, offer);
  return stored;
}

/** The options of each call. With `validateOnly` the calls are previews, which store nothing. */
type CallOptions = { readonly signal: AbortSignal; readonly validateOnly: boolean };

async function applyDifference(
  { offers }: VendorClient,
  offerId: string,
  { update, stock, takenBack }: Difference,
  options: CallOptions,
): Promise<void> {
  if (update !== null) await offers.update(offerId, update, options);
  if (stock !== null) await offers.pushStock(offerId, stock, options);
  if (takenBack?.field === 'cost') {
    const body = { cost: takenBack.amount, costIsVatInclusive: takenBack.isVatInclusive };
    await offers.pushCost(offerId, body, options);
  } else if (takenBack?.field === 'salePrice') {
    const { amount: salePrice, isVatInclusive: salePriceIsVatInclusive } = takenBack;
    await offers.pushSalePrice(offerId, { salePrice, salePriceIsVatInclusive }, options);
  }
}

/**
 * Carries out a step, or previews it, and returns what was done. It returns a refusal of its content
 * too, and throws any other failure.
 */
async function applyStep(
  client: VendorClient,
  step: Step,
  options: CallOptions,
): Promise<RowFailure | Step['action']> {
  try {
    if (step.action === 'create') {
      const { existing } = await client.offers.create(step.body, options);
      // Another program has created the offer meanwhile: the row was not stored.
      return existing ? 'skip' : 'create';
    }
    if (step.action === 'update')
      await applyDifference(client, step.offerId, step.difference, options);
    return step.action;
  } catch (error) {
    const explanation = options.signal.aborted ? null : explain(error);
    const isOfTheRow =
      explanation?.exitCode === exitCodes.failed || explanation?.code === 'INTERNAL_ERROR';
    if (explanation === null || !isOfTheRow) throw error;
    return { row: step.row, reasons: explanation.reasons };
  }
}

const doneWords = { create: 'created', update: 'updated', skip: 'skipped' } as const;

function describePlan(step: Step): string | null {
  if (step.action === 'skip') return null;
  const fields = step.action === 'update' ? ` (${changedFields(step.difference).join(', ')})` : '';
  return `would ${step.action} ${step.vendorExternalId}${fields}`;
}

type Work = Pick<Context, 'output' | 'signal'> & { readonly dryRun: boolean };

/** Sends each row by calls of its own. */
async function importByCalls(
  client: VendorClient,
  { steps, failures: malformed }: Plan,
  { dryRun, output, signal }: Work,
): Promise<ExitCode> {
  const failures = [...malformed];
  const counts = { created: 0, updated: 0, skipped: 0 };
  const reportFailure = ({ row, reasons }: RowFailure, vendorExternalId: string | null) =>
    output.result({ row, vendorExternalId, action: 'failed', reasons }, null);
  for (const failure of malformed) reportFailure(failure, null);

  const progress = startProgress(output, steps.length);
  const work = async (step: Step): Promise<void> => {
    signal.throwIfAborted();
    const outcome = await applyStep(client, step, { signal, validateOnly: dryRun });
    progress.step(typeof outcome === 'object');
    const { row, vendorExternalId } = step;
    if (typeof outcome === 'object') {
      failures.push(outcome);
      reportFailure(outcome, vendorExternalId);
      return;
    }
    const action = doneWords[outcome];
    counts[action] += 1;
    const fields = step.action === 'update' ? { fields: changedFields(step.difference) } : {};
    const value = { row, vendorExternalId, action, ...fields, ...(dryRun && { dryRun }) };
    output.result(value, dryRun ? describePlan(step) : null);
  };
  const finish = (): ExitCode => {
    progress.end();
    const { created, updated, skipped } = counts;
    const rows = steps.length + malformed.length;
    const left = rows - created - updated - skipped - failures.length;
    return reportImport(output, { ...counts, left, failures, dryRun });
  };
  try {
    await forEachConcurrently(steps, concurrency, work);
  } catch (error) {
    finish();
    throw error;
  }
  return finish();
}

/** `offers import`: sends what differs from the stored offers. */
export async function importOffers(
  { file, dryRun }: Arguments,
  { output, environment, signal, connect }: Context,
): Promise<ExitCode> {
  const rows = await readCsv(file, offerColumns);
  const { client, credentials } = await connect();
  const work = { dryRun, output, signal };
  const journals = journalsOf({ environment, output }, credentials, ['offers import', rows]);
  /** Continues an earlier import; null if there is none. */
  const continueRun = async (): Promise<ExitCode | null> => {
    const begun = await journals.find();
    if (begun === null) return null;
    noteResumption(output, begun);
    return importByJobs(client, begun, work);
  };
  if (!dryRun && (await journals.isStored())) {
    const exitCode = await journals.alone(continueRun);
    if (exitCode !== null) return exitCode;
  }
  const plan = planImport(rows, await readOffers(client, signal));
  const { steps, failures } = plan;
  const skipped = steps.filter(({ action }) => action === 'skip').length;
  if (steps.length - skipped <= rowsWithoutJob) return importByCalls(client, plan, work);
  const chunks = importChunks(steps);
  const rest = { skipped, failures };
  if (dryRun) return importByJobs(client, temporaryJournal(chunks, rest), work);
  return journals.alone(
    async () =>
      // Another process may have begun and ended the same import meanwhile.
      (await continueRun()) ?? importByJobs(client, await journals.create(chunks, rest), work),
  );
}
