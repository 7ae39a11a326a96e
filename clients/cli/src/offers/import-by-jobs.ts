import type { VendorClient } from 'vendor-gateway-client';
import type { Context } from '../core/command.ts';
import type { ExitCode } from '../core/exit.ts';
import { reasonsOf } from '../core/explain.ts';
import type { RowFailure } from '../core/failures.ts';
import { chunksOf, type Chunk, type RowItem } from '../jobs/chunks.ts';
import type { Journal } from '../jobs/journal.ts';
import { noteJobs } from '../jobs/note-jobs.ts';
import { runJobs, type RowResult } from '../jobs/run-jobs.ts';
import { reportImport } from './import-summary.ts';
import type { Step } from './plan-import.ts';

/** The jobs of a plan: what a row needs beside its fields is in a job of another kind. */
export function importChunks(steps: readonly Step[]): readonly Chunk[] {
  const creates: RowItem[] = [];
  const updates: RowItem[] = [];
  const stocks: RowItem[] = [];
  const costs: RowItem[] = [];
  const salePrices: RowItem[] = [];
  for (const step of steps) {
    const { row } = step;
    if (step.action === 'create') creates.push({ row, item: step.body });
    if (step.action !== 'update') continue;
    const { offerId, difference } = step;
    const { update, stock, takenBack } = difference;
    if (update !== null) updates.push({ row, item: { offerId, ...update } });
    if (stock !== null) stocks.push({ row, item: { offerId, ...stock } });
    if (takenBack === null) continue;
    const { field, amount, isVatInclusive } = takenBack;
    const item = { offerId, [field]: amount, [`${field}IsVatInclusive`]: isVatInclusive };
    (field === 'cost' ? costs : salePrices).push({ row, item });
  }
  return [
    ...chunksOf('createOffers', creates),
    ...chunksOf('updateOffers', updates),
    ...chunksOf('pushStocks', stocks),
    ...chunksOf('pushCosts', costs),
    ...chunksOf('pushSalePrices', salePrices),
  ];
}

/** Collects the results of items; a row is done when all its items are. */
function createTally({ output }: Pick<Context, 'output'>, journal: Journal) {
  const { jobs, skipped, failures: notSent } = journal.plan();
  const itemsLeft = new Map<number, number>();
  for (const row of jobs.flatMap(({ rows }) => rows))
    itemsLeft.set(row, (itemsLeft.get(row) ?? 0) + 1);
  const failures = new Map<number, RowFailure>();
  const fields = new Map<number, string[]>();
  const counts = { created: 0, updated: 0, skipped };
  const report = ({ row, job, item, result }: RowResult): void => {
    const { state, details, httpStatus } = result;
    const vendorExternalId = result.vendorExternalId ?? item['vendorExternalId'] ?? null;
    const left = (itemsLeft.get(row) ?? 0) - 1;
    itemsLeft.set(row, left);
    const changed = Object.keys(item).filter((name) => name !== 'offerId');
    fields.set(row, [...(fields.get(row) ?? []), ...changed]);
    if (state !== 'SUCCESS') {
      const reasons = [...(failures.get(row)?.reasons ?? []), ...reasonsOf(state, details)];
      failures.set(row, { row, reasons });
    }
    if (left > 0) return;
    const failure = failures.get(row);
    if (failure !== undefined) {
      output.result({ row, vendorExternalId, action: 'failed', reasons: failure.reasons }, null);
      return;
    }
    const isCreate = job.kind === 'createOffers';
    // Another program has created the offer meanwhile.
    const action = !isCreate ? 'updated' : httpStatus === 201 ? 'created' : 'skipped';
    counts[action] += 1;
    const named = action === 'updated' ? { fields: fields.get(row) } : {};
    output.result({ row, vendorExternalId, action, ...named }, null);
  };
  const summary = () => {
    const left = [...itemsLeft.keys()].filter(
      (row) => (itemsLeft.get(row) ?? 0) > 0 && !failures.has(row),
    ).length;
    return { ...counts, left, failures: [...notSent, ...failures.values()] };
  };
  return { report, summary };
}

/**
 * Runs an import by bulk jobs: the jobs of a plan that an earlier command has begun, or new jobs.
 */
export async function importByJobs(
  client: VendorClient,
  journal: Journal,
  { dryRun, output, signal }: Pick<Context, 'output' | 'signal'> & { readonly dryRun: boolean },
): Promise<ExitCode> {
  const tally = createTally({ output }, journal);
  for (const { row, reasons } of journal.plan().failures)
    output.result({ row, vendorExternalId: null, action: 'failed', reasons }, null);
  const finish = (): ExitCode => {
    const jobs = journal.plan().jobs.flatMap(({ jobId }) => (jobId === null ? [] : [jobId]));
    const exitCode = reportImport(output, { ...tally.summary(), dryRun, jobs });
    if (!dryRun) noteJobs(output, journal);
    return exitCode;
  };
  try {
    await runJobs({ client, journal, output, signal, validateOnly: dryRun, report: tally.report });
  } catch (error) {
    finish();
    throw error;
  }
  await journal.remove();
  return finish();
}
