import { cellCodes } from './cells.ts';
import type { Reason } from './explain.ts';
import { tableOf, type Output } from './output.ts';

/** What of one row of the file failed. */
export type RowFailure = { readonly row: number; readonly reasons: readonly Reason[] };

/** The rows that a group names before it counts the others. */
const namedRowsMax = 3;

/** The rows of a group, such as `2, 3, 4 and 2,997 more`. */
function describeRows(rows: readonly number[]): string {
  const named = rows.slice(0, namedRowsMax).join(', ');
  const more = rows.length - namedRowsMax;
  return more > 0 ? `${named} and ${more.toLocaleString('en')} more` : named;
}

/** Equal reasons together. Reasons of cells are equal if only the value differs. */
function groupsOf(failures: readonly RowFailure[]) {
  const groups = new Map<string, { readonly reason: Reason; readonly rows: number[] }>();
  for (const { row, reasons } of failures.toSorted((a, b) => a.row - b.row))
    for (const reason of reasons) {
      const { field, code, message } = reason;
      const key = JSON.stringify([field, code, cellCodes.has(code) ? null : message]);
      const group = groups.get(key) ?? { reason, rows: [] };
      groups.set(key, group);
      if (group.rows.at(-1) !== row) group.rows.push(row);
    }
  return [...groups.values()];
}

/** The failures as a table: a line for each reason, with the rows that have it. */
export function reportFailures(output: Output, failures: readonly RowFailure[]): void {
  if (output.isJson || failures.length === 0) return;
  const groups = groupsOf(failures);
  const isGrouped = groups.some(({ rows }) => rows.length > 1);
  const lines = groups.map(({ reason: { field, code, message }, rows }) => [
    describeRows(rows),
    ...(isGrouped ? [rows.length] : []),
    field,
    code,
    message,
  ]);
  const header = ['ROW', ...(isGrouped ? ['COUNT'] : []), 'FIELD', 'CODE', 'MESSAGE'];
  output.result({}, tableOf(header, lines));
}
