import type { Reason } from './explain.ts';
import { tableOf, type Output } from './output.ts';

/** What of one row of the file failed. */
export type RowFailure = { readonly row: number; readonly reasons: readonly Reason[] };

/** The failures as a table: the reasons of a row are lines of their own. */
export function reportFailures(output: Output, failures: readonly RowFailure[]): void {
  if (output.isJson || failures.length === 0) return;
  const rows = failures
    .toSorted((a, b) => a.row - b.row)
    .flatMap(({ row, reasons }) =>
      reasons.map(({ field, code, message }) => [row, field, code, message]),
    );
  output.result({}, tableOf(['ROW', 'FIELD', 'CODE', 'MESSAGE'], rows));
}
