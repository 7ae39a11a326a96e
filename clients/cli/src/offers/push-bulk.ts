import type { JobKind, VendorClient } from 'vendor-gateway-client';
import type { Context } from '../core/command.ts';
import { readCsv, type Columns, type CsvRow } from '../core/csv.ts';
import { exitCodes, type ExitCode } from '../core/exit.ts';
import { reasonsOf, type Reason } from '../core/explain.ts';
import { reportFailures, type RowFailure } from '../core/failures.ts';
import type { Output } from '../core/output.ts';
import { startProgress } from '../core/progress.ts';
import { chunksOf } from '../jobs/chunks.ts';
import { journalsOf, type Journals } from '../jobs/journal.ts';
import { noteJobs, noteResumption } from '../jobs/note-jobs.ts';
import { runJobs } from '../jobs/run-jobs.ts';
import { isTooLarge } from '../jobs/too-large.ts';

type Results = Awaited<ReturnType<VendorClient['offers']['pushStocks']>>['results'];
/** The columns of a file, and the jobs that its rows become; null: they go by bulk calls. */
type Bulk = { readonly columns: Columns; readonly jobKind: JobKind | null };

const names = { offerId: 'id', vendorExternalId: 'id' } as const;

/** Stock goes by calls: one that waits for other jobs of the vendor would be out of date. */
export const stocks: Bulk = {
  jobKind: null,
  columns: { ...names, declaredInStock: 'boolean', declaredStockQuantity: 'integer' },
};
/** Prices go by jobs. */
export const prices = {
  cost: {
    jobKind: 'pushCosts',
    columns: { ...names, cost: 'money', costIsVatInclusive: 'boolean' },
  },
  'sale-price': {
    jobKind: 'pushSalePrices',
    columns: { ...names, salePrice: 'money', salePriceIsVatInclusive: 'boolean' },
  },
} as const satisfies Readonly<Record<string, Bulk>>;

const itemsMax = 1000;
/** An item that failed by no fault of its own is sent so often. */
const attemptsMax = 3;

const isTransient = ({ httpStatus }: Results[number]): boolean =>
  httpStatus === 429 || httpStatus >= 500;

/** `Items[3].OfferId` of the call is `OfferId` of the row. */
const ofTheRow = ({ field, ...rest }: Reason): Reason => ({
  field: field?.replace(/^Items\[\d+\]\.?/, '') || null,
  ...rest,
});

type Report = (row: CsvRow, reasons: readonly Reason[] | null) => void;

type PushWork = Pick<Context, 'output' | 'signal'> & {
  readonly client: VendorClient;
  readonly report: Report;
};

async function pushRows(
  rows: readonly CsvRow[],
  { client, signal, report }: PushWork,
): Promise<void> {
  const pieces = Array.from({ length: Math.ceil(rows.length / itemsMax) }, (_, index) =>
    rows.slice(index * itemsMax, (index + 1) * itemsMax),
  );
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    let left = piece;
    for (let attempt = 1; left.length > 0; attempt += 1) {
      const items = left.map(({ values }) => values);
      // The gateway judges each item, whatever its form.
      const sent = client.offers.pushStocks({ items: items as never }, { signal });
      const response = await sent.catch((error: unknown) => {
        const bytes = Buffer.byteLength(JSON.stringify(items));
        if (items.length > 1 && isTooLarge(error, bytes)) return null;
        throw error;
      });
      if (response === null) {
        // The same again would fail again.
        const middle = Math.ceil(left.length / 2);
        pieces.unshift(left.slice(0, middle), left.slice(middle));
        break;
      }
      const again: CsvRow[] = [];
      for (const [index, row] of left.entries()) {
        const result = response.results[index];
        if (result === undefined) throw new Error('The gateway answered too few results.');
        if (isTransient(result) && attempt < attemptsMax) again.push(row);
        else if (result.state === 'SUCCESS') report(row, null);
        else report(row, reasonsOf(result.state, result.details).map(ofTheRow));
      }
      left = again;
    }
  }
}

/** Reports each row, and counts them. */
function createTally(output: Output, total: number) {
  const failures: RowFailure[] = [];
  let pushed = 0;
  return {
    report: ({ row, values }: CsvRow, reasons: readonly Reason[] | null): void => {
      if (reasons === null) pushed += 1;
      else failures.push({ row, reasons });
      const { offerId = null, vendorExternalId = null } = values;
      const outcome = reasons === null ? { action: 'pushed' } : { action: 'failed', reasons };
      output.result({ row, offerId, vendorExternalId, ...outcome }, null);
    },
    /** Prints the failures and the counts. */
    finish: (): ExitCode => {
      reportFailures(output, failures);
      const failed = failures.length;
      const left = total - pushed - failed;
      const rest = left === 0 ? '' : `, ${left} not known: run the command again`;
      const text = `Pushed ${pushed}, failed ${failed}${rest}.`;
      output.result({ summary: { pushed, failed, left } }, text);
      return failed + left > 0 ? exitCodes.failed : exitCodes.ok;
    },
  };
}

/** Declares what the rows of a file have. */
export async function pushFile(
  { jobKind, columns }: Bulk,
  file: string,
  { output, environment, signal, connect }: Context,
): Promise<ExitCode> {
  const rows = await readCsv(file, columns);
  const { client, credentials } = await connect();
  const { report, finish } = createTally(output, rows.length);
  for (const row of rows) if (row.reasons.length > 0) report(row, row.reasons);
  const readable = rows.filter(({ reasons }) => reasons.length === 0);
  const work = { client, output, signal, report };
  try {
    if (jobKind === null) await pushStocks(readable, work);
    else {
      const journals = journalsOf({ environment, output }, credentials, [jobKind, rows]);
      await journals.alone(() => pushByJobs(jobKind, readable, { ...work, journals }));
    }
  } catch (error) {
    finish();
    throw error;
  }
  return finish();
}

async function pushStocks(rows: readonly CsvRow[], work: PushWork): Promise<void> {
  const progress = startProgress(work.output, rows.length);
  const report: Report = (row, reasons) => {
    work.report(row, reasons);
    progress.step(reasons !== null);
  };
  try {
    await pushRows(rows, { ...work, report });
  } finally {
    progress.end();
  }
}

async function pushByJobs(
  kind: JobKind,
  rows: readonly CsvRow[],
  { journals, report, ...work }: PushWork & { readonly journals: Journals },
): Promise<void> {
  const begun = await journals.find();
  if (begun !== null) noteResumption(work.output, begun);
  const items = rows.map(({ row, values }) => ({ row, item: values }));
  const rest = { skipped: 0, failures: [] };
  const journal = begun ?? (await journals.create(chunksOf(kind, items), rest));
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  try {
    await runJobs({
      ...work,
      journal,
      validateOnly: false,
      report: ({ row: number, result: { state, details } }) => {
        const row = byNumber.get(number);
        if (row !== undefined) report(row, state === 'SUCCESS' ? null : reasonsOf(state, details));
      },
    });
    await journal.remove();
  } finally {
    noteJobs(work.output, journal);
  }
}
