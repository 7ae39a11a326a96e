import type { VendorClient } from 'vendor-gateway-client';
import type { CommonArguments, Context } from '../core/command.ts';
import { readCsv, type CellValue, type Columns, type CsvRow } from '../core/csv.ts';
import { exitCodes, type ExitCode } from '../core/exit.ts';
import { reasonsOf, type Reason } from '../core/explain.ts';
import { reportFailures, type RowFailure } from '../core/failures.ts';
import type { Output } from '../core/output.ts';
import { startProgress } from '../core/progress.ts';

type Item = Readonly<Record<string, CellValue>>;
type Result = {
  readonly index: number;
  readonly httpStatus: number;
  readonly state: string;
  readonly details: Readonly<Record<string, unknown>>;
};
/** A bulk call: its columns and how its items are sent. */
type Bulk = {
  readonly columns: Columns;
  readonly send: (
    offers: VendorClient['offers'],
    items: readonly Item[],
    signal: AbortSignal,
  ) => Promise<{ readonly results: readonly Result[] }>;
};

const names = { offerId: 'text', vendorExternalId: 'text' } as const;

// The gateway judges each item, whatever its form.
const stocks: Bulk = {
  columns: { ...names, declaredInStock: 'boolean', declaredStockQuantity: 'integer' },
  send: (offers, items, signal) => offers.pushStocks({ items: items as never }, { signal }),
};
const prices: Readonly<Record<PriceArguments['field'], Bulk>> = {
  cost: {
    columns: { ...names, cost: 'money', costIsVatInclusive: 'boolean' },
    send: (offers, items, signal) => offers.pushCosts({ items: items as never }, { signal }),
  },
  'sale-price': {
    columns: { ...names, salePrice: 'money', salePriceIsVatInclusive: 'boolean' },
    send: (offers, items, signal) => offers.pushSalePrices({ items: items as never }, { signal }),
  },
};

const itemsMax = 1000;
/** An item that failed by no fault of its own is sent so often. */
const attemptsMax = 3;

const isTransient = ({ httpStatus }: Result): boolean => httpStatus === 429 || httpStatus >= 500;

/** `Items[3].Cost` of the call is `Cost` of the row. */
const ofTheRow = ({ field, ...rest }: Reason): Reason => ({
  field: field?.replace(/^Items\[\d+\]\.?/, '') || null,
  ...rest,
});

type Report = (row: CsvRow, reasons: readonly Reason[] | null) => void;

async function pushRows(
  rows: readonly CsvRow[],
  send: (items: readonly Item[]) => ReturnType<Bulk['send']>,
  report: Report,
): Promise<void> {
  for (let start = 0; start < rows.length; start += itemsMax) {
    let left = rows.slice(start, start + itemsMax);
    for (let attempt = 1; left.length > 0; attempt += 1) {
      const { results } = await send(left.map(({ values }) => values));
      const again: CsvRow[] = [];
      for (const [index, row] of left.entries()) {
        const result = results[index];
        if (result === undefined) throw new Error('The gateway answered too few results.');
        if (isTransient(result) && attempt < attemptsMax) again.push(row);
        else if (result.state === 'SUCCESS') report(row, null);
        else report(row, reasonsOf(result.state, result.details).map(ofTheRow));
      }
      left = again;
    }
  }
}

function createReport(output: Output, failures: RowFailure[]): Report {
  return ({ row, values }, reasons) => {
    const { offerId = null, vendorExternalId = null } = values;
    if (reasons !== null) failures.push({ row, reasons });
    const outcome = reasons === null ? { action: 'pushed' } : { action: 'failed', reasons };
    output.result({ row, offerId, vendorExternalId, ...outcome }, null);
  };
}

async function pushFile(
  { columns, send }: Bulk,
  file: string,
  { output, signal, connect }: Context,
): Promise<ExitCode> {
  const rows = await readCsv(file, columns);
  const { client } = await connect();
  const failures: RowFailure[] = [];
  let pushed = 0;
  const progress = startProgress(output, rows.length);
  const write = createReport(output, failures);
  const report: Report = (row, reasons) => {
    write(row, reasons);
    progress.step();
    if (reasons === null) pushed += 1;
  };
  for (const row of rows) if (row.reasons.length > 0) report(row, row.reasons);
  const readable = rows.filter(({ reasons }) => reasons.length === 0);
  try {
    await pushRows(readable, (items) => send(client.offers, items, signal), report);
  } finally {
    progress.end();
    reportFailures(output, failures);
    const failed = failures.length;
    const left = rows.length - pushed - failed;
    const rest = left === 0 ? '' : `, ${left} not known: run the command again`;
    output.result(
      { summary: { pushed, failed, left } },
      `Pushed ${pushed}, failed ${failed}${rest}.`,
    );
  }
  return failures.length > 0 ? exitCodes.failed : exitCodes.ok;
}

type FileArguments = CommonArguments & { readonly file: string };
type PriceArguments = FileArguments & { readonly field: 'cost' | 'sale-price' };

/** `stock push`: declares the stock of the file's offers. */
export const pushStock = ({ file }: FileArguments, context: Context): Promise<ExitCode> =>
  pushFile(stocks, file, context);

/** `prices push`: declares the cost or the sale price of the file's offers. */
export const pushPrices = ({ file, field }: PriceArguments, context: Context): Promise<ExitCode> =>
  pushFile(prices[field], file, context);
